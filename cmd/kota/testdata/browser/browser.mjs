// What the browser tests share: a real Chromium, the program, and checks that go on after a
// failure. KOTA_CHROMIUM names the browser, KOTA_BROWSER_MODULES the folder with
// playwright-core and axe-core, KOTA_SHOTS a folder for screenshots.
import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const modules = createRequire(process.env.KOTA_BROWSER_MODULES + '/');
const { chromium, devices } = modules('playwright-core');
const axe = await readFile(modules.resolve('axe-core/axe.min.js'), 'utf8');
const run = promisify(execFile);

export { devices };

// kota runs the program and returns what it prints. A failure is returned, not thrown.
export async function kota(...args) {
  try {
    return (await run('kota', args)).stdout;
  } catch (failure) {
    return failure.stderr;
  }
}

// pendingID returns the id of the call that waits because of the arguments.
export async function park(...args) {
  const answer = JSON.parse(await kota('call', ...args));
  if (!answer.approval_id) throw new Error('nothing waits: ' + JSON.stringify(answer));
  return answer.approval_id;
}

let failures = 0;

// check runs a part of the test. A failure does not stop the other parts.
export async function check(name, part) {
  try {
    await part();
    console.log('ok   ' + name);
  } catch (failure) {
    failures++;
    console.log('FAIL ' + name + ': ' + failure.message);
  }
}

export function equal(got, want, what) {
  if (got !== want) throw new Error(`${what}: ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}

export function includes(text, part) {
  if (!text.includes(part)) throw new Error(`${JSON.stringify(part)} is missing in: ${text.slice(0, 600)}`);
}

const programs = new Set(); // that run; one that a failed part left open would keep the test waiting

function launch(args, stdio) {
  const program = spawn('kota', args, { stdio });
  programs.add(program);
  program.once('exit', () => programs.delete(program));
  return program;
}

// start starts a console and returns the process and its link. stop ends it.
export async function start(...flags) {
  const program = launch(['console', '--no-browser', ...flags], ['ignore', 'pipe', 'inherit']);
  return { program, link: (await lineOf(program.stdout, /^(http\S+)$/m)) };
}

// serve starts an HTTP server at an address and returns the process and the URL of the server.
export async function serve(address) {
  const program = launch(['serve', '--http', address], ['ignore', 'ignore', 'pipe']);
  return { program, url: await lineOf(program.stderr, /serves MCP at (http\S+)\/mcp;/) };
}

// lineOf returns the first group of the pattern in what a program prints.
function lineOf(stream, pattern) {
  return new Promise((found, failed) => {
    let printed = '';
    stream.on('data', (part) => {
      printed += part;
      const match = pattern.exec(printed);
      if (match) found(match[1]);
    });
    stream.on('end', () => failed(new Error('it ended: ' + printed)));
  });
}

export async function stop(program) {
  const ended = new Promise((done) => program.once('exit', done));
  program.kill('SIGINT');
  await ended;
}

// browse signs in to a console, and runs the parts of a test in a browser that reaches
// loopback addresses only. home is the address of the console.
export async function browse(parts) {
  const { link } = await start();
  const browser = await chromium.launch({
    executablePath: process.env.KOTA_CHROMIUM, chromiumSandbox: false,
    args: ['--disable-dev-shm-usage', '--disable-background-networking', '--host-resolver-rules=MAP rebind.test 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost'],
  });
  try {
    const page = await browser.newPage();
    const home = await signIn(page, link);
    session = await page.context().storageState();
    await page.context().close();
    await parts(browser, home);
  } finally {
    await browser.close();
    for (const program of programs) program.kill('SIGINT');
  }
  process.exitCode = failures ? 1 : 0;
}

let session; // of the browser that signed in

// open returns a page that fails the test if it runs text as a script, logs an error that is not
// expected, or asks another server.
export async function open(browser, options = {}) {
  const context = await browser.newContext({ storageState: session, ...options });
  const page = await context.newPage();
  page.problems = [];
  page.on('dialog', async (dialog) => { page.problems.push('a dialog: ' + dialog.message()); await dialog.dismiss(); });
  page.on('pageerror', (error) => page.problems.push('an error: ' + error.message));
  page.on('console', (message) => { if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()) && !page.expected?.test(message.text())) page.problems.push('the console: ' + message.text()); });
  page.on('request', (request) => { if (!request.url().startsWith('http://127.0.0.1:')) page.problems.push('a request: ' + request.url()); });
  return page;
}

// signIn opens the console by a link and returns its address.
export async function signIn(page, link) {
  await page.goto(link);
  await page.getByRole('button', { name: 'Open the console' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/in'));
  return page.url();
}

// accessible fails if axe finds something on the page in one of the themes, or if the page had
// a problem.
export async function accessible(page) {
  const session = await page.context().newCDPSession(page);
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await session.send('Runtime.evaluate', { expression: axe });
    const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
    if (violations.length) {
      throw new Error(colorScheme + ': ' + violations.map((v) => v.id + ' at ' + v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')).join('; '));
    }
  }
  await session.detach();
  if (page.problems.length) throw new Error(page.problems.join('; '));
}

export async function shot(page, name) {
  await page.screenshot({ path: `${process.env.KOTA_SHOTS}/${name}.png`, fullPage: true });
}
