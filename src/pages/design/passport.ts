/** The consumer page, on a screen and on paper. */
export const PASSPORT_CSS = `
.hero{display:grid;gap:1.75rem;padding-top:2rem;padding-bottom:2.25rem}
.maker{font-size:1.0625rem;font-weight:600;color:var(--thread);margin-bottom:.35rem}
.kind{margin-top:.6rem;color:var(--soft);font-size:1.0625rem}
.hero .facts{margin-top:1.5rem}
.label{position:relative;align-self:start;background:var(--card);border:1px solid var(--line);border-radius:.25rem;padding:1.5rem 1.25rem 1.125rem}
.label::before{content:"";position:absolute;left:.75rem;right:.75rem;top:.55rem;height:2px;background:repeating-linear-gradient(90deg,var(--thread) 0 8px,transparent 8px 13px)}
.label dl{display:grid;grid-template-columns:auto 1fr;gap:.3rem 1rem;align-items:baseline}
.label dt{font-size:.8125rem;color:var(--soft)}
.label dd{font-family:var(--mono);font-size:.9375rem;font-variant-numeric:tabular-nums;text-align:right}
.label .small{margin-top:.75rem;border-top:1px solid var(--line);padding-top:.625rem;color:var(--soft)}
.part{border-top:1px solid var(--line);padding-top:1.5rem;padding-bottom:1.75rem;display:grid;gap:.875rem}
.part>div{min-width:0}
.part h3{margin-top:1.5rem;margin-bottom:.35rem}
table{width:100%;border-collapse:collapse}
th,td{text-align:left;font-weight:400;padding:.55rem 0;vertical-align:baseline;border-top:1px solid var(--line);overflow-wrap:break-word}
thead th,thead td{font-size:.8125rem;color:var(--soft);border-top:0;padding-top:0}
tbody th{font-weight:550}
td,th{padding-right:.75rem}
td:last-child,th:last-child{padding-right:0}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.strip{display:block;width:100%;height:1.25rem;margin-bottom:1rem;border-radius:.25rem}
.s1{fill:var(--s1)}.s2{fill:var(--s2)}.s3{fill:var(--s3)}.s4{fill:var(--s4)}.s5{fill:var(--s5)}
.chip{display:inline-block;width:.75rem;height:.75rem;margin-right:.6rem;vertical-align:baseline}
.big{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 .6rem;margin-bottom:.25rem}
.big b{font-size:clamp(2.75rem,2rem + 4vw,4rem);line-height:1;font-weight:650;letter-spacing:-.035em;font-variant-numeric:tabular-nums}
.stages{margin-top:1.5rem}
.bar{display:flex;flex-wrap:wrap;align-items:center;gap:.3rem 1.25rem}
.bar span{flex:0 1 13rem}
.bar svg{flex:1 1 9rem;height:.75rem;min-width:0}
.bar rect{fill:var(--s2)}
.method{margin-top:1rem}
.quality{display:flex;gap:.25rem;margin:.5rem 0 .6rem;max-width:22rem}
.quality svg{width:100%;height:.625rem;display:block}
.on{fill:var(--accent)}.off{fill:var(--line)}
.says li{padding-left:1.1rem;position:relative;max-width:65ch}
.says li+li{margin-top:.35rem}
.says li::before{content:"";position:absolute;left:0;top:.72em;width:.55rem;height:2px;background:var(--thread)}
.cert{display:grid;gap:.15rem .75rem;padding:.75rem 0;border-top:1px solid var(--line)}
.cert:first-child{border-top:0;padding-top:0}
.cert h3{margin:0}
.state{display:inline-flex;align-items:center;gap:.4rem;font-size:.875rem;font-weight:600;border-radius:1rem;padding:.1rem .7rem .1rem .55rem;justify-self:start}
.state svg{width:.75rem;height:.75rem;flex:none;fill:none;stroke:currentColor;stroke-width:2}
.state.ok{background:var(--ok-tint);color:var(--ok)}
.state.warn{background:var(--warn-tint);color:var(--warn)}
.state.bad{background:var(--bad-tint);color:var(--bad)}
.history a{display:inline-block;min-height:2.75rem;padding:.6rem 0}
.history td,.history th{padding-top:0;padding-bottom:0;vertical-align:middle}
.history tr>*{height:2.75rem}
@media (min-width:52rem){
.hero{grid-template-columns:1fr 20rem;gap:3rem;padding-top:3rem;padding-bottom:3rem}
.part{grid-template-columns:13.5rem 1fr;gap:2.5rem;padding-top:2rem;padding-bottom:2.25rem}
.cert{grid-template-columns:1fr auto}
.cert .state{grid-column:2;grid-row:1}
}
@media print{
:root{color-scheme:light;--paper:#fff;--card:#fff;--ink:#000;--soft:#333;--line:#999;--tint:#eee}
body{font-size:10pt}
.langs,.skip{display:none}
.part,.cert,tr{break-inside:avoid}
.part{padding:.75rem 0;grid-template-columns:10rem 1fr}
.hero{padding:1rem 0;grid-template-columns:1fr 17rem}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`;
