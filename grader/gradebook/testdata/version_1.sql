-- SPDX-License-Identifier: Apache-2.0
-- What `warplings grade` of the first version of the tables wrote for one student, as Python's iterdump gives it.
PRAGMA application_id = 1464287819;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE results(
  key TEXT PRIMARY KEY, chapter TEXT NOT NULL, exercise TEXT NOT NULL, submission_hash TEXT NOT NULL,
  suite_version TEXT NOT NULL, grader_version TEXT NOT NULL, device TEXT NOT NULL, seed TEXT NOT NULL,
  round INTEGER NOT NULL, graded_at TEXT NOT NULL, verdict TEXT NOT NULL, reason TEXT NOT NULL,
  points REAL NOT NULL, max_points REAL NOT NULL,
  findings TEXT NOT NULL,        -- JSON: kind, line and message of each, without repetitions.
  misconceptions TEXT NOT NULL,  -- JSON: their ids.
  source BLOB NOT NULL, answers BLOB NOT NULL,
  report BLOB NOT NULL  -- The result by docs/result.schema.json, compressed by zstd.
);
INSERT INTO "results" VALUES('02a7ad57ef22db791488adfde4f6d448e41027aa10ce2dfadfa29c00e51a3c4a','01_boundary_checks','tiled_matmul','5135da7d21d26a9a70d316a09cdf68d30cf43548bbfcaca615475dc7cb6c0dd5','104091ffd4ac0ed5d4ecd805ceaf0fe5484ed391a516b5059a990d37b39a4fb4','545c40200a6e05d09de49fb2119ae8ee5e9830ebf6ab07e9fa45831107fd6264','virtual:a100','7',1,'2026-11-22T08:54:05Z','compile_error','line 1: incomplete type "void" is not allowed',0.0,10.0,'[]','[]',X'766F69642062726F6B656E28207B0A',X'',X'28B52FFD60C404550F00665E5521306DDB068888095A0D26FB6543CDD2E866BAF888805414BFA78D97BF69050505AB4F004A004C00BCB882D9341AB393AD226ADC5A220A48009E4AB0C7746296954CFBE8FD9A7EBCB464DA30AC7EEE20542AD4D26869EDE38625418EDEB29BA4503F0962402060900814241074B79655BA65317D0D7704DD7471F454BAC8F5F35512579465EDC41453D1B8DAB9D00D1C045C795CC165752EDB265CD92A1B46A66A8F1D3A30AE4D6C845556617020C02604B706445C6565043396B079D1295E591ACBCAF65C4A2009BAEB556E164662CE9DAA968CFC593808403A9DC72341CF55F6F364EA70077AB65444FCFCE88DD6968B743F7F48CE25F383A02FF318AB3B14D09DD276BC0F4911244988A5178F376E2D17F456BA5A2E18B3A29746606313367650CA1A6DF6186468EBC460426BBBEC9FF7E67AED7E08D05722FB5AB69F2788BEEC5236F426DB2DCDC86D522D2BA7CCCF82C26315372050022164AACC0E7B859CE620C8FE0368D67183F28EDB4921915669C2BA318D4FDA19B4914193648059B5313211C9080421F895414EB3AF35E49885CA0476B341A40128EB4865134EE0E018E4D24D11297403F070419F05BF71E01D011BB8FED4E38B175B25380570BDAFD5EA49C3BB3DCC86826979684306F320957943830A6BCA7CCB1FA932DCA0B2A8ACFBAC5C8D19');
CREATE TABLE settings(name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO "settings" VALUES('device','virtual:a100');
INSERT INTO "settings" VALUES('seed','7');
INSERT INTO "settings" VALUES('round','1');
CREATE TABLE students(
  name TEXT PRIMARY KEY, position INTEGER NOT NULL, handed_in_as TEXT NOT NULL,
  remarks TEXT NOT NULL  -- A JSON list of sentences.
);
INSERT INTO "students" VALUES('Ada Lovelace',0,'Ada Lovelace','[]');
CREATE TABLE submissions(
  student TEXT NOT NULL REFERENCES students(name), position INTEGER NOT NULL, chapter TEXT NOT NULL,
  exercise TEXT NOT NULL, state TEXT NOT NULL, file TEXT NOT NULL, problem TEXT NOT NULL,
  result TEXT NOT NULL,  -- results.key, which may not be there yet; '' where nothing can be graded.
  PRIMARY KEY(student, chapter, exercise)
);
INSERT INTO "submissions" VALUES('Ada Lovelace',0,'01_boundary_checks','out_of_range_loads','missing','','','');
INSERT INTO "submissions" VALUES('Ada Lovelace',1,'01_boundary_checks','tiled_matmul','found','tiled_matmul.cu','','02a7ad57ef22db791488adfde4f6d448e41027aa10ce2dfadfa29c00e51a3c4a');
CREATE VIEW grades AS
  SELECT s.student, s.chapter, s.exercise,
         CASE WHEN s.state <> 'found' THEN s.state
              WHEN r.key IS NULL OR r.verdict = 'grader_fault' THEN 'not graded'
              ELSE 'graded' END AS state,
         r.verdict, r.points, r.max_points, coalesce(r.reason, s.problem) AS reason, r.findings,
         r.misconceptions, s.file, r.submission_hash, r.suite_version, r.grader_version, r.device, r.seed,
         r.round, r.graded_at
  FROM submissions s LEFT JOIN results r ON r.key = s.result
  ORDER BY s.student, s.position;
COMMIT;
