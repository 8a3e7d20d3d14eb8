// Keeps open pages current, moves the focus after a change, and counts waiting approvals in the
// title. Every page works without it.
(() => {
  "use strict";
  const base = document.documentElement.dataset.base;
  if (!base) return;

  // refresh asks htmx to fetch again what says hx-trigger="changed from:body".
  const refresh = () => document.body.dispatchEvent(new Event("changed"));

  // A browser opens at most six connections to a server. So one tab holds the stream of changes and
  // tells the others.
  const channel = new BroadcastChannel("kota" + base);
  channel.onmessage = (event) => hear(event.data);
  const tell = (what) => { channel.postMessage(what); hear(what); };
  navigator.locks.request("kota" + base, () => new Promise((done) => {
    const stream = new EventSource(base + "live");
    let silence; // the timer of a stream that is interrupted
    stream.addEventListener("changed", () => tell("changed"));
    stream.onopen = () => {
      if (silence) { clearTimeout(silence); silence = null; tell("answers"); }
    };
    stream.onerror = () => {
      if (stream.readyState === EventSource.CLOSED) { tell("ended"); done(); return; }
      silence ||= setTimeout(() => tell("silent"), 3000); // the browser connects again meanwhile
    };
    addEventListener("pagehide", () => { stream.close(); done(); });
  }));

  // hear does what the tab with the stream says.
  function hear(what) {
    for (const id of ["ended", "silent"]) {
      const note = document.getElementById(id);
      if (note && what !== "changed") note.hidden = what !== id;
    }
    if (what === "changed" || what === "answers") refresh();
  }

  // The number of waiting approvals is in the title, and a new one may show a notification.
  const title = document.title;
  let known = null;
  function count() {
    const badge = document.querySelector("[data-waiting]");
    const waiting = Number(badge?.dataset.waiting ?? 0);
    const wanted = (waiting ? "(" + waiting + ") " : "") + title;
    if (document.title !== wanted) document.title = wanted;
    const more = known !== null && waiting > known;
    known = waiting;
    if (!more) return;
    const text = waiting === 1 ? "A call waits for your approval." : waiting + " calls wait for your approval.";
    document.getElementById("news").textContent = text; // a screen reader says it
    if (document.hidden && "Notification" in window && Notification.permission === "granted") {
      new Notification("KOTA", { body: text, tag: "kota-approvals" });
    }
  }
  new MutationObserver(count).observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-waiting"] });
  count();

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-notify]");
    if (!button) return;
    const answer = await Notification.requestPermission();
    button.textContent = answer === "granted" ? "Notifications are on" : "The browser does not allow notifications";
    button.disabled = true;
  });
  if (!("Notification" in window) || Notification.permission !== "default") {
    document.querySelectorAll("[data-notify]").forEach((button) => { button.hidden = true; });
  }

  // After a change, the focus moves to what says the result. A list that keeps itself current keeps
  // the focus on the same link.
  let focused = null;
  document.addEventListener("htmx:before:swap", () => {
    if (document.activeElement !== document.body) focused = document.activeElement.getAttribute("href");
  });
  document.addEventListener("htmx:after:swap", () => {
    if (document.activeElement !== document.body) return;
    const same = focused && document.querySelector("main a[href=" + CSS.escape(focused) + "]");
    (same || document.querySelector("[data-result]"))?.focus();
  });
  document.querySelector("[data-result]")?.focus();

  // A page that the browser kept may show an approval that was used meanwhile.
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
