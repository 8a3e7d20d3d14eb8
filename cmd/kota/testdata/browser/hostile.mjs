// Hostile text in every field that others can fill: no page runs it, loads something for it, or
// gets an element from it. The browser follows every link of the console.
import { browse, check, open } from './browser.mjs';

// Pages of one kind, such as those of one memory, differ in nothing that matters here: the lists
// show every text.
const maxOfKind = 40;

// kindOf returns the first element of the path, whether there is another one, and the parameters.
const kindOf = (address, home) => {
  const url = new URL(address), [page, one] = url.pathname.slice(new URL(home).pathname.length).split('/');
  return page + (one ? '/*' : '') + '?' + [...url.searchParams.keys()];
};

await browse(async (browser, home) => {
  await check('hostile text stays text on every page', async () => {
    const page = await open(browser);
    const waiting = [home], seen = new Set(waiting), wrong = [];
    const kinds = new Map();
    while (waiting.length) {
      const address = waiting.shift();
      const response = await page.goto(address, { waitUntil: 'load' });
      if (response.status() >= 500) wrong.push(`${address}: ${response.status()}`);
      const found = await page.evaluate((base) => {
        const allowed = new Set(['HTML', 'HEAD', 'META', 'TITLE', 'LINK', 'SCRIPT', 'BODY', 'A', 'HEADER', 'DIV', 'NAV', 'UL', 'OL', 'LI', 'SPAN', 'FORM', 'INPUT', 'BUTTON', 'MAIN', 'H1', 'H2', 'H3',
          'P', 'ARTICLE', 'SECTION', 'PRE', 'CODE', 'DETAILS', 'SUMMARY', 'LABEL', 'TEXTAREA', 'SELECT', 'OPTION', 'FIELDSET', 'LEGEND', 'TABLE', 'CAPTION', 'THEAD', 'TBODY', 'TR', 'TH', 'TD',
          'DL', 'DT', 'DD', 'INS', 'DEL', 'TIME', 'svg', 'rect', 'g', 'text', 'path', 'polyline', 'line', 'title', 'desc', 'circle', 'B', 'STRONG', 'SMALL', 'BR', 'HR', 'FIGURE', 'FIGCAPTION', 'DATALIST']);
        const wrong = [];
        for (const element of document.querySelectorAll('*')) {
          if (!allowed.has(element.tagName)) wrong.push('an element ' + element.outerHTML.slice(0, 120));
          for (const { name, value } of element.attributes) {
            if (name.startsWith('on') || name === 'style' || name === 'srcdoc') wrong.push(`an attribute ${name} of ${element.outerHTML.slice(0, 120)}`);
            if (['href', 'src', 'action', 'formaction'].includes(name) && !new URL(value, location).href.startsWith(new URL(base).origin)) wrong.push(`${name}=${value.slice(0, 80)}`);
          }
        }
        if (document.querySelectorAll('script').length !== 3) wrong.push(document.querySelectorAll('script').length + ' scripts');
        const links = [...document.querySelectorAll('a[href]:not([download])')].map((a) => a.href.split('#')[0]).filter((href) => href.startsWith(base));
        return { wrong, links };
      }, home);
      wrong.push(...found.wrong.map((what) => `${address}: ${what}`), ...page.problems.splice(0).map((what) => `${address}: ${what}`));
      for (const link of found.links) {
        const kind = kindOf(link, home);
        if (seen.has(link) || kinds.get(kind) >= maxOfKind) continue;
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        seen.add(link);
        waiting.push(link);
      }
    }
    console.log(`     looked at ${seen.size} pages of ${kinds.size} kinds`);
    if (wrong.length) throw new Error(wrong.slice(0, 20).join('\n'));
    if (seen.size < 150) throw new Error('only ' + seen.size + ' pages were found');
  });
});
