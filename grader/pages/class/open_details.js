// SPDX-License-Identifier: Apache-2.0
// A link to an exercise opens what it leads to.
"use strict";

function openWhatIsLinked() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target || !target.matches("details")) return;
  target.open = true;
  target.scrollIntoView();
}

addEventListener("hashchange", openWhatIsLinked);
openWhatIsLinked();
