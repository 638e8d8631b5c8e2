// SPDX-License-Identifier: Apache-2.0
// Browsers refuse workers to pages that are opened from disk, and the search of the site is a worker. There, a hidden
// frame does its work: it has the page's origin, so that both sides reach each other directly.
"use strict";
if (location.protocol === "file:") {
  class FrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = data => this.deliver(this, data);
      inside.importScripts = (...scripts) =>
        scripts.reduce((before, script) => before.then(() => this.load(script)), Promise.resolve());
      this.load(String(url)).then(() => {
        const waiting = this.waiting;
        this.waiting = null;
        waiting.forEach(data => this.postMessage(data));
      });
    }
    load(script) {
      const page = this.frame.contentDocument;
      return new Promise((loaded, failed) => {
        const element = page.createElement("script");
        element.src = new URL(script, document.baseURI).href;
        element.onload = loaded;
        element.onerror = failed;
        page.body.appendChild(element);
      });
    }
    // A message arrives in a turn of its own, as a worker's does.
    deliver(to, data) {
      setTimeout(() => {
        const event = new MessageEvent("message", {data});
        if (to.onmessage) to.onmessage(event);
        to.dispatchEvent(event);
      });
    }
    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.deliver(this.frame.contentWindow, data);
    }
    terminate() {
      this.frame.remove();
    }
  }
  window.IFrameWorker = window.Worker = FrameWorker;  // the search asks for the first name
}
