import type { FetchLike } from 'dealwright/client';

/** A `fetch` that tells how many bytes were sent: browsers tell that of an XMLHttpRequest alone. */
export function createSendingFetch(onSent: (bytes: number) => void): FetchLike {
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, url);
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded }) => onSent(loaded);
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
    });
}
