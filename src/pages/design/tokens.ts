/** Colours, type and spacing; everything else in the stylesheet speaks of these. */
export const TOKENS_CSS = `
:root{
color-scheme:light dark;
--paper:#f1f3f0;--card:#fff;--tint:#e5eaf2;--line:#cfd6d4;--edge:#7a859a;
--ink:#14213d;--soft:#4a5570;--accent:#1d4e89;--on-accent:#fff;--thread:#b5281f;
--ok:#17643a;--ok-tint:#e2f1e7;--warn:#7d4e00;--warn-tint:#fbefd3;--bad:#a1201a;--bad-tint:#fbe6e3;
--s1:#14213d;--s2:#2f5d9c;--s3:#7ba0d0;--s4:#b3c7e2;--s5:#8d97a8;
--sans:"Avenir Next",Avenir,"Segoe UI Variable Text","Segoe UI","Noto Sans",Ubuntu,system-ui,sans-serif;
--mono:ui-monospace,"SF Mono","Cascadia Mono","Roboto Mono","Noto Sans Mono","DejaVu Sans Mono",monospace;
--round:.625rem;
}
:lang(zh){--sans:"PingFang SC","Microsoft YaHei","Noto Sans SC","Noto Sans CJK SC","Source Han Sans SC","WenQuanYi Micro Hei",system-ui,sans-serif}
@media (prefers-color-scheme:dark){:root{
--paper:#0d1320;--card:#151d2e;--tint:#1f2a42;--line:#2c3852;--edge:#7d8aa5;
--ink:#e8edf6;--soft:#aab5ca;--accent:#9ec4ff;--on-accent:#0d1320;--thread:#ff8d7c;
--ok:#86d9a6;--ok-tint:#14301f;--warn:#f2c46d;--warn-tint:#33270c;--bad:#ffa095;--bad-tint:#3b1714;
--s1:#d6e4fb;--s2:#86aee6;--s3:#5179b4;--s4:#35527f;--s5:#77839a;
}}
`;
