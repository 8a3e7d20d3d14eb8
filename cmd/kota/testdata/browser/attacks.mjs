// Attacks on a console by other browsers, other pages, other host names and other programs of the
// same machine.
import { createServer } from 'node:http';
import { browse, check, equal, includes, kota, open, park, signIn, start, stop } from './browser.mjs';

// A server of another user of this machine. It records the cookies that it gets.
const cookies = [];
let answer = '';
const other = createServer((request, response) => {
  cookies.push(request.headers.cookie);
  response.setHeader('Content-Type', 'text/html');
  response.end('<!doctype html><title>other</title>' + answer);
});
await new Promise((listening) => other.listen(0, '127.0.0.1', listening));
const { port } = other.address();

await browse(async (browser, home) => {
  await check('a link signs in one browser, and only that one', async () => {
    const { program, link } = await start();
    const owner = await browser.newContext();
    const own = await signIn(await owner.newPage(), link);
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(link);
    await stranger.getByRole('button', { name: 'Open the console' }).click();
    includes(await stranger.locator('main').innerText(), 'This link was used before');
    for (const path of ['', 'approvals', 'memory', 'try/memory_set', 'live']) {
      equal((await stranger.goto(own + path)).status(), 401, path + ' in another browser');
      includes(await stranger.locator('main').innerText(), 'run `kota console`');
    }
    // A session of another console of the same user is none here.
    const neighbour = await open(browser);
    equal((await neighbour.goto(own + 'memory')).status(), 401, 'the session of another console');
    await Promise.all([owner, stranger.context(), neighbour.context()].map((context) => context.close()));
    await stop(program);
  });

  await check('no page of another port or name approves a call', async () => {
    const page = await open(browser);
    const id = await park('gmail_send_message', 'to=bob@example.com', 'subject=Forged', 'body=x');
    await page.goto(home + 'approvals/' + id);
    const token = await page.locator('article input[name=form]').inputValue(); // even if another page knew it
    const form = `<form method="post" action="${home}approvals/${id}"><input name="act" value="approve"><input name="form" value="${token}"></form><script>document.forms[0].submit()</script>`;
    for (const host of ['127.0.0.1', 'localhost']) {
      for (const [name, html] of Object.entries({
        'a form': form,
        'a form in a sandbox': `<iframe sandbox="allow-scripts allow-forms" srcdoc="${form.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`,
        'a form in a frame': `<iframe srcdoc="${form.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`,
      })) {
        answer = html;
        const [refused] = await Promise.all([
          page.waitForResponse((response) => response.request().method() === 'POST', { timeout: 10000 }),
          page.goto(`http://${host}:${port}/`),
        ]);
        equal(refused.status(), 403, `${name} of ${host}`);
      }
      answer = '';
      await page.goto(`http://${host}:${port}/`);
      for (const [path, init] of [['approvals/' + id, { method: 'POST', mode: 'no-cors', credentials: 'include', body: 'act=approve&form=' + token }], ['memory', { credentials: 'include' }], ['memory', { mode: 'no-cors', credentials: 'include' }]]) {
        const got = await page.evaluate(async ([address, init]) => {
          try {
            const response = await fetch(address, { ...init, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
            return response.type + ' ' + (await response.text()).length;
          } catch (failure) { return 'refused'; }
        }, [home + path, init]);
        equal(got, 'refused', `fetch of ${path} by ${host}`);
      }
    }
    includes(await kota('pending'), id);
    await page.context().close();
  });

  await check('no page frames the console or reaches its window', async () => {
    const page = await open(browser);
    for (const host of ['127.0.0.1', 'localhost']) {
      answer = `<iframe src="${home}approvals"></iframe>`;
      await page.goto(`http://${host}:${port}/`);
      const frame = page.frames()[1];
      const framed = await frame.content().catch(() => '');
      if (framed.includes('Approvals')) throw new Error(host + ' frames the console');
      const [popup] = await Promise.all([page.waitForEvent('popup'), page.evaluate((address) => { window.opened = open(address); }, home + 'approvals')]);
      await popup.waitForLoadState();
      equal(await popup.evaluate(() => window.opener), null, 'the opener');
      equal(await page.evaluate(() => window.opened.closed), true, 'the opened window seems closed');
      await popup.close();
    }
    await page.context().close();
  });

  await check('a host name that leads here is refused', async () => {
    const page = await open(browser);
    const response = await page.goto(home.replace('127.0.0.1', 'rebind.test') + 'memory');
    equal(response.status(), 403, 'by another host name');
    includes(await page.content(), 'does not name this server');
    await page.context().close();
  });

  await check('another port gets no cookie', async () => {
    const page = await open(browser);
    await page.goto(home);
    cookies.length = 0;
    for (const path of ['', 'console', 'console/', 'console/x/approvals']) await page.goto(`http://127.0.0.1:${port}/${path}`);
    equal(cookies.length >= 4, true, 'requests to the other port');
    equal(cookies.filter(Boolean).join(), '', 'cookies that the other port got');
    await page.goto(home); // the session goes on
    equal(await page.getByRole('heading', { level: 1 }).count(), 1, 'headings');
    equal(await page.evaluate(() => document.cookie), '', 'cookies that scripts see');
    await page.context().close();
  });
});
other.close();
other.closeAllConnections();
