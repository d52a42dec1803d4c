// SPDX-License-Identifier: Apache-2.0
// differs: unsigned arithmetic modulo 2^32 with shifts and masks (128 bytes divide 2^32, so nothing is lost); the count
// from a constexpr table. Alternative tokens and digraphs.

#include "bank_of.h"

constexpr unsigned char kBanksOf<:17:> = <%0, 1, 1, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 4%>;

Banks bank_of(SharedArray array, int row, int column)
<%
  const unsigned place = static_cast<unsigned>(row) * static_cast<unsigned>(array.pitch) + static_cast<unsigned>(column);
  const unsigned byte = static_cast<unsigned>(array.base) + place * static_cast<unsigned>(array.element_bytes);
  Banks banks;
  banks.first = static_cast<int>(byte >> 2 bitand 31u);
  banks.count = kBanksOf<:array.element_bytes:>;
  return banks;
%>
