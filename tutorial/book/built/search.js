// Built from tutorial/book/src/search.js by .ci/page_scripts/build.mjs; do not edit.
(()=>{window.Scorer={score:([a,,,,t])=>t+(a.startsWith("chapters/")?t<7?6:20:0),objNameMatch:11,objPartialMatch:6,objPrio:{0:15,1:5,2:-5},objPrioDefault:0,title:15,partialTitle:7,term:5,partialTerm:2};})();
