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
  channel.onmessage = refresh;
  navigator.locks.request("kota" + base, () => new Promise((done) => {
    const stream = new EventSource(base + "live");
    stream.addEventListener("changed", () => { channel.postMessage(""); refresh(); });
    stream.onerror = () => {
      if (stream.readyState !== EventSource.CLOSED) return; // it connects again
      showEnded();
      done();
    };
    addEventListener("pagehide", () => { stream.close(); done(); });
  }));

  function showEnded() {
    const note = document.getElementById("ended");
    if (note) note.hidden = false;
  }

  // The number of waiting approvals is in the title, and a new one may show a notification.
  const title = document.title;
  let known = null;
  function count() {
    const badge = document.querySelector("[data-waiting]");
    const waiting = Number(badge?.dataset.waiting ?? 0);
    const wanted = (waiting ? "(" + waiting + ") " : "") + title;
    if (document.title !== wanted) document.title = wanted;
    if (known !== null && waiting > known && document.hidden && "Notification" in window && Notification.permission === "granted") {
      new Notification("KOTA", { body: waiting === 1 ? "A call waits for your approval." : waiting + " calls wait for your approval.", tag: "kota-approvals" });
    }
    known = waiting;
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

  // After a change, the focus moves to what says the result.
  document.addEventListener("htmx:after:swap", () => {
    const result = document.querySelector("[data-result]");
    if (result && document.activeElement === document.body) result.focus();
  });
  document.querySelector("[data-result]")?.focus();

  // A page that the browser kept may show an approval that was used meanwhile.
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
