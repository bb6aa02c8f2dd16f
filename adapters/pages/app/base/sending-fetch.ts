import type { FetchLike } from 'dealwright/client';

/** Milliseconds in which nothing is sent or answered, after which a connection counts as lost. */
const silence = 120_000;

/**
 * A `fetch` that tells how many bytes were sent: browsers tell that of an XMLHttpRequest alone. Its
 * time is not limited: a large file on a slow line takes long.
 */
export function createSendingFetch(onSent: (bytes: number) => void): FetchLike {
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, url);
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      let timer: ReturnType<typeof setTimeout> | undefined;
      const listen = () => {
        clearTimeout(timer);
        timer = setTimeout(() => request.abort(), silence);
      };
      request.upload.onprogress = ({ loaded }) => {
        listen();
        onSent(loaded);
      };
      request.onloadend = () => clearTimeout(timer);
      request.onload = () =>
        resolve({
          status: request.status,
          headers: { get: (name) => request.getResponseHeader(name) },
          text: () => Promise.resolve(request.responseText),
        });
      const fail = () => reject(new TypeError('the connection failed'));
      Object.assign(request, { onerror: fail, onabort: fail, ontimeout: fail });
      signal.addEventListener('abort', () => request.abort());
      // the client streams nothing in a browser
      request.send(body as XMLHttpRequestBodyInit);
      listen();
    });
}
