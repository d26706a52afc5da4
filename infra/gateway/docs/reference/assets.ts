/** Style, icon and search script of the reference. */
export const style = `
:root { color-scheme: light dark; --ink: light-dark(#1d1f20, #e6e8e8); --soft: light-dark(#5b6062, #a4abad); --back: light-dark(#faf9f7, #131415);
  --card: light-dark(#fff, #1b1d1e); --line: light-dark(#e0ded9, #34383a); --accent: light-dark(#0f5f5c, #6cc4bf); --code: light-dark(#f1efeb, #232728);
  font: 1rem/1.55 system-ui, sans-serif; }
:root[data-theme="light"] { color-scheme: light; } :root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
html { scroll-padding-top: 5rem; }
body { margin: 0; color: var(--ink); background: var(--back); }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible, input:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 1rem; top: 1rem; z-index: 2; background: var(--card); padding: 0.5rem; }
header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: center; padding: 0.6rem max(1.25rem, calc((100% - 80rem) / 2 + 1.25rem));
  background: var(--back); border-bottom: 1px solid var(--line); }
.brand { display: flex; gap: 0.5rem; align-items: center; color: inherit; font-weight: 600; text-decoration: none; }
.links { display: flex; gap: 1rem; margin: 0; }
.search { position: relative; flex: 1 1 16rem; max-width: 40rem; } .search label { position: absolute; left: -999px; }
.search input { width: 100%; padding: 0.55rem 3.5rem 0.55rem 0.9rem; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft);
  border-radius: 8px; }
.search kbd { position: absolute; top: 50%; right: 0.6rem; padding: 0 0.5em; color: var(--soft); background: var(--code); border: 1px solid var(--line);
  border-radius: 4px; font: 0.85rem/1.6 ui-monospace, monospace; transform: translateY(-50%); pointer-events: none; }
.search input:focus ~ kbd { display: none; }
.search #hint { position: absolute; top: 100%; left: 0; margin: 0.3rem 0 0; padding: 0.3rem 0.7rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 6px; }
.columns { display: grid; grid-template-columns: 14rem minmax(0, 1fr); max-width: 80rem; margin: 0 auto; }
nav { position: sticky; top: 4.2rem; align-self: start; max-height: calc(100vh - 4.6rem); overflow: auto; padding: 1.25rem; }
nav ul { margin: 0; padding: 0; list-style: none; } nav a { display: block; padding: 0.2rem 0.6rem; border-radius: 6px; color: inherit; text-decoration: none; }
nav a:hover { background: var(--code); } nav a[aria-current] { background: var(--code); color: var(--accent); font-weight: 600; }
main { padding: 1.25rem; min-width: 0; } main.alone { max-width: 80rem; margin: 0 auto; }
.problems { margin: 0; } .problems dt { margin-top: 1rem; } .problems dd { margin: 0; color: var(--soft); }
.problems.list dt, .problems.list dd { padding: 0.3rem 0; } .problems.list dd { border-bottom: 1px solid var(--line); } .problems.list dt { padding-bottom: 0; margin: 0; }
@media (min-width: 48rem) {
  .problems.list { display: grid; grid-template-columns: max-content minmax(0, 1fr); }
  .problems.list dt { padding: 0.3rem 2rem 0.3rem 0; border-bottom: 1px solid var(--line); }
}
.problems.facts dt { font-weight: 600; } .problems.facts dd { color: inherit; } main:focus { outline: none; }
h1 { font-size: 1.7rem; margin: 0.5rem 0 1rem; } h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; } h3 { font-size: 1.1rem; margin: 1.75rem 0 0.4rem; }
h3 a, h2 a { color: inherit; text-decoration: none; } h3 a:hover, h2 a:hover { text-decoration: underline; } .operation h2 { margin: 0; } .operation h3 { margin: 1.25rem 0 0.4rem; font-size: 0.95rem; }
p { max-width: 72ch; }
code { font: 0.92em ui-monospace, monospace; overflow-wrap: anywhere; }
p code, td code, li code.field { background: var(--code); padding: 0.05em 0.3em; border-radius: 4px; }
pre { overflow: auto; max-height: 26rem; padding: 0.8rem 1rem; background: var(--code); border-radius: 6px; } pre code { white-space: pre-wrap; }
.operation { margin: 1.5rem 0; padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.operation:target { border-color: var(--accent); }
.route { margin: 0.4rem 0; } .access, .note, .type { color: var(--soft); font-size: 0.9rem; font-weight: 400; } .required { color: var(--accent); font-size: 0.8rem; }
.method { display: inline-block; min-width: 4.2em; padding: 0.05em 0.4em; border: 1px solid currentColor; border-radius: 4px; color: var(--accent);
  font: 600 0.75rem/1.5 ui-monospace, monospace; text-align: center; }
.operations { padding: 0; list-style: none; } .operations li { padding: 0.35rem 0; border-bottom: 1px solid var(--line); }
.operations a { display: inline-flex; gap: 0.6rem; align-items: baseline; text-decoration: none; } .operations span:last-child { color: var(--soft); }
.operations > li > span { display: block; font-size: 0.92rem; }
.fields { margin: 0.3rem 0; padding-left: 1rem; list-style: none; border-left: 2px solid var(--line); } .fields li { padding: 0.2rem 0; }
details { margin: 0.5rem 0; } summary { cursor: pointer; color: var(--accent); }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; min-width: 34rem; font-size: 0.92rem; }
.search input::placeholder { color: var(--soft); opacity: 1; }
th, td { padding: 0.35rem 0.6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); } th { color: var(--soft); font-weight: 600; }
[hidden] { display: none; }
@media (max-width: 48rem) {
  .columns { grid-template-columns: minmax(0, 1fr); } nav { position: static; padding: 0.75rem 1.25rem 0; max-height: none; }
  nav ul { display: flex; gap: 0.25rem; overflow-x: auto; white-space: nowrap; } header { gap: 0.4rem 1rem; padding: 0.5rem 1rem; }
  html { scroll-padding-top: 7rem; } .links { gap: 0.7rem; order: 1; margin-left: auto; font-size: 0.9rem; } .search { order: 2; flex-basis: 100%; max-width: none; }
  .operation { padding: 1rem; }
}
`;

/** Filters the first page's list while one types; on other pages the form leads there, as a hint states. */
export const searchScript = `const field = document.getElementById('search');
const introduction = document.getElementById('introduction');
const filter = () => {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let found = 0;
  for (const line of document.querySelectorAll('[data-words]')) {
    line.hidden = !words.every((word) => line.dataset.words.includes(word));
    if (!line.hidden) found += 1;
  }
  for (const section of document.querySelectorAll('section.list')) section.hidden = section.querySelector('[data-words]:not([hidden])') === null;
  introduction.hidden = words.length > 0;
  document.getElementById('found').textContent = words.length === 0 ? '' : found + (found === 1 ? ' operation' : ' operations');
};
field.value = new URLSearchParams(location.search).get('q') ?? '';
if (introduction !== null) {
  field.addEventListener('input', filter);
  field.form.addEventListener('submit', (event) => {
    event.preventDefault();
    document.querySelector('[data-words]:not([hidden]) a')?.click();
  });
  filter();
} else {
  field.addEventListener('input', () => {
    document.getElementById('hint').hidden = field.value.trim() === '';
  });
}
addEventListener('keydown', (event) => {
  const isSlash = event.key === '/' && !event.target.matches('input');
  const isCommand = event.key.toLowerCase() === 'k' && event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey;
  if (!isSlash && !isCommand) return;
  event.preventDefault();
  field.focus();
});
`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Septet</title>
<rect width="32" height="32" rx="7" fill="#0f5f5c"/><path stroke="#fff" stroke-width="2" stroke-linecap="round"
d="M6.5 18v6M9.7 13v11M12.9 16v8M16 8v16M19.1 14v10M22.3 11v13M25.5 19v5"/></svg>
`;
