// SPDX-License-Identifier: Apache-2.0
// verdict: missing_entry
// No entry; in its place a function whose mangled name begins like the entry's and doubles 30 times: a helpful message about it would be long.

#include "tiled_matmul.h"
extern "C" void _Z12tiled_matmul1AIiiES_IS0_S0_ES_IS1_S1_ES_IS2_S2_ES_IS3_S3_ES_IS4_S4_ES_IS5_S5_ES_IS6_S6_ES_IS7_S7_ES_IS8_S8_ES_IS9_S9_ES_ISA_SA_ES_ISB_SB_ES_ISC_SC_ES_ISD_SD_ES_ISE_SE_ES_ISF_SF_ES_ISG_SG_ES_ISH_SH_ES_ISI_SI_ES_ISJ_SJ_ES_ISK_SK_ES_ISL_SL_ES_ISM_SM_ES_ISN_SN_ES_ISO_SO_ES_ISP_SP_ES_ISQ_SQ_ES_ISR_SR_ES_ISS_SS_ES_IST_ST_E() {}
