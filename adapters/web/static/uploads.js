// The files of the message that is being written, on their way to the server.

import { csrf } from "./api.js";
import { enable, notice } from "./box.js";
import { byId, make, page, text } from "./page.js";

export const uploads = new Set();

export function add(files) {
  notice("");
  for (const file of files) {
    if (uploads.size >= Number(page.maxFiles)) {
      notice(`A message may carry ${page.maxFiles} files.`);
      break;
    }
    const upload = { file, name: file.name || "file", id: "", failed: false, element: make("li", "upload") };
    uploads.add(upload);
    start(upload);
  }
  showUploads();
}

function start(upload) {
  const request = new XMLHttpRequest();
  const progress = draw(upload, request);
  upload.done = new Promise((done) => send(upload, request, progress, done));
}

function draw(upload, request) {
  const { element } = upload;
  const remove = make("button", "small", "×");
  remove.type = "button";
  remove.setAttribute("aria-label", `Remove ${upload.name}`);
  const progress = make("progress");
  progress.max = 1;
  progress.value = 0;
  progress.setAttribute("aria-label", `${upload.name} is being added`);
  element.replaceChildren(make("span", "upload-name", upload.name), remove, progress);
  remove.addEventListener("click", () => {
    request.abort();
    uploads.delete(upload);
    showUploads();
    text.focus();
  });
  return progress;
}

function send(upload, request, progress, done) {
  const failed = (words) => {
    upload.failed = true;
    progress.remove();
    const line = make("span", "error", words);
    line.setAttribute("role", "alert");
    upload.element.append(line);
    done();
  };
  if (upload.file.size > Number(page.uploadBytes)) {
    failed(`Larger than ${Math.floor(Number(page.uploadBytes) / 1e6)} MB`);
    return;
  }
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) progress.value = event.loaded / event.total;
  });
  request.addEventListener("load", () => {
    const answer = JSON.parse(request.responseText || "{}");
    if (request.status !== 200) {
      failed(answer.error || "Could not be added");
      return;
    }
    upload.id = answer.id;
    progress.remove();
    done();
  });
  request.addEventListener("error", () => failed("The connection broke. Remove it and add it again."));
  request.addEventListener("abort", done);
  request.open("POST", `/chat/files?name=${encodeURIComponent(upload.name)}`);
  request.setRequestHeader("X-CSRF-Token", csrf);
  request.setRequestHeader("Content-Type", upload.file.type || "application/octet-stream");
  request.send(upload.file);
}

export function showUploads() {
  const list = byId("uploads");
  list.replaceChildren(...Array.from(uploads, (upload) => upload.element));
  list.hidden = uploads.size === 0;
  enable();
}
