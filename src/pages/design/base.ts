/** Document, type, links, buttons, notices: what every page has. */
export const BASE_CSS = `
*,::before,::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 var(--sans);overflow-wrap:anywhere}
h1,h2,h3,p,ul,ol,dl,dd,table,figure,fieldset,legend{margin:0;padding:0;border:0}
h1,h2,h3{text-wrap:balance;line-height:1.2;letter-spacing:-.012em}
h1{font-size:clamp(1.75rem,1.3rem + 2.2vw,2.75rem);font-weight:650;letter-spacing:-.022em;line-height:1.1}
:lang(zh) :is(h1,h2,h3,legend){letter-spacing:0}
h2{font-size:1.1875rem;font-weight:650}
h3{font-size:1rem;font-weight:650}
p{text-wrap:pretty;max-width:65ch}
ul,ol{list-style:none}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:.08em}
a:hover{text-decoration-thickness:.14em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
.wrap{max-width:66rem;margin:0 auto;padding:0 1.125rem}
.narrow{max-width:46rem}
.skip{position:absolute;left:-999rem}
.skip:focus{left:1rem;top:.5rem;z-index:1;background:var(--card);padding:.7rem 1rem}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.soft{color:var(--soft)}
.small{font-size:.875rem}
.mono{font-family:var(--mono);font-size:.9em;font-variant-numeric:tabular-nums}
.pre{white-space:pre-line}
pre{margin:0;white-space:pre-wrap}
.stack>*+*{margin-top:.75rem}
.top{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.25rem 1rem;padding-top:.75rem;padding-bottom:.625rem}
.brand{display:flex;align-items:center;gap:.6rem;font-weight:600;min-height:2.75rem}
.brand svg{width:1.5rem;height:1.5rem;flex:none;fill:currentColor}
.stitch{height:2px;background:repeating-linear-gradient(90deg,var(--thread) 0 11px,transparent 11px 18px)}
.langs{display:flex;flex-wrap:wrap;margin:0 -.5rem}
.langs a{display:grid;place-items:center;min-width:2.75rem;min-height:2.75rem;font-size:.875rem;color:var(--soft);text-decoration:none}
.langs a:hover{text-decoration:underline}
.langs a[aria-current]{color:var(--ink);font-weight:700;background:linear-gradient(var(--thread),var(--thread)) bottom/100% 2px no-repeat}
.note+h1{margin-top:1.75rem}
.foot{margin-top:3rem;padding:1.25rem 0 2.5rem;border-top:1px solid var(--line);color:var(--soft);font-size:.875rem}
.narrow>.foot{margin-top:0}
.foot p+p{margin-top:.35rem}
.note{border-radius:var(--round);padding:.875rem 1.125rem;background:var(--tint);margin-top:1.25rem}
.note h2,.note h3{font-size:1rem;margin-bottom:.25rem}
.note.warn{background:var(--warn-tint)}.note.warn h2{color:var(--warn)}
.note.bad{background:var(--bad-tint)}.note.bad h2{color:var(--bad)}
.note.ok{background:var(--ok-tint)}.note.ok h2{color:var(--ok)}
.note form{margin-top:.75rem}
.note:focus{outline:3px solid var(--accent);outline-offset:2px}
.note li{margin-top:.15rem}
.note li a{display:inline-block;padding:.6rem 0;color:inherit}
.card{background:var(--card);border:1px solid var(--line);border-radius:var(--round);padding:1.125rem}
.lone{padding-top:clamp(2rem,8vh,5rem);padding-bottom:3rem}
.lone h1{margin-bottom:1rem}
.lone .code{font-family:var(--mono);color:var(--thread);margin-bottom:.5rem}
button,.button{font:600 1rem/1.2 var(--sans);min-height:2.75rem;padding:.7rem 1.35rem;border-radius:2rem;border:2px solid var(--accent);background:var(--accent);color:var(--on-accent);cursor:pointer}
button:hover{filter:brightness(1.12)}
.button{display:inline-block;text-decoration:none}
.quiet{background:transparent;color:var(--accent)}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.25rem,1fr));gap:.75rem 1.5rem}
.facts .wide{grid-column:1/-1}
.facts dt{font-size:.8125rem;color:var(--soft)}
.facts dd{font-weight:550}
@media (forced-colors:active){.stitch{background:none;border-top:2px dashed CanvasText}}
`;
