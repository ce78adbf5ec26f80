/** Forms: the factory's and the sign-up's. */
export const FORM_CSS = `
.form{margin-top:1.5rem}
.form fieldset{border-top:1px solid var(--line);padding-top:1.5rem;margin-top:2rem;min-width:0}
.form legend{float:left;width:100%;font-size:1.1875rem;font-weight:650;letter-spacing:-.012em;line-height:1.2}
.form legend+*{clear:both}
.why{color:var(--soft);padding-top:.35rem}
.fields{display:grid;gap:0 1.5rem;margin-top:1.125rem}
.field{display:grid;grid-row:span 4;grid-template-rows:subgrid;align-content:start;min-width:0;padding-bottom:1.25rem}
.field label{font-weight:600}
.help{grid-row:2;font-size:.875rem;color:var(--soft)}
.row,.field>input{grid-row:3;margin-top:.4rem}
.row{display:flex;align-items:center;gap:.6rem;align-self:start}
.error{grid-row:4;margin-top:.3rem;font-size:.9375rem;font-weight:600;color:var(--bad)}
.unit{color:var(--soft);white-space:nowrap}
input,select,textarea{font:1rem/1.4 var(--sans);color:var(--ink);background:var(--card);border:1px solid var(--edge);border-radius:.4rem;padding:.6rem .75rem;min-height:2.75rem;width:100%;min-width:0}
input[inputmode]{font-variant-numeric:tabular-nums}
textarea{min-height:7rem;resize:vertical}
input:focus-visible,select:focus-visible,textarea:focus-visible{outline-offset:0}
[aria-invalid=true]{border:2px solid var(--bad)}
input[readonly]{background:var(--tint);border-style:dashed}
.certs{display:grid;gap:1rem;margin-top:1.125rem}
.certs .card{min-width:0;padding:0 1.125rem}
.certs summary{font-weight:650;padding:.6rem 0;min-height:2.75rem;cursor:pointer}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center;margin-top:2rem;padding-top:1.5rem;border-top:1px solid var(--line)}
.decline{margin-top:2.5rem;padding-top:1.25rem;border-top:1px solid var(--line)}
.decline p{margin-top:.5rem}
.ask{margin-top:1.5rem}
.ask .facts{margin-top:.75rem}
.said h2{font-size:1rem}
.said{border-left:3px solid var(--thread);padding-left:1rem;margin-top:1.25rem}
.given{margin-top:2rem}
.given h2{margin-bottom:.75rem}
.given div{display:grid;gap:0 1.5rem;padding:.55rem 0;border-top:1px solid var(--line)}
.given dt{color:var(--soft)}
.todo li{border-top:1px solid var(--line);padding:.5rem 0}
.todo form:not(.form){margin:.5rem 0}
.todo .acts{display:flex;flex-wrap:wrap;gap:.5rem}
.form+*{margin-top:2rem}
.own{margin-top:2.5rem}
.own h2{margin-bottom:.75rem}
.own legend{padding-bottom:.75rem}
.own .soft+.todo{margin-top:.75rem}
.todo a:not(.button){display:block;padding:.6rem 0;font-weight:600}
@media (min-width:40rem){
.fields{grid-template-columns:1fr 1fr}
.wide{grid-column:1/-1}
.given div{grid-template-columns:16rem 1fr}
}
`;
