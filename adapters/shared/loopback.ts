/** Whether a name is one of this machine by itself (RFC 6761), in any case, with a final dot or not. */
export const isLocalName = (name: string): boolean => /^(?:.*\.)?localhost\.*$/i.test(name);

/** Whether a name or an address leads to this machine alone. */
export const isLoopback = (host: string): boolean =>
  isLocalName(host) || /^(?:127(?:\.\d{1,3}){3}|::1)$/.test(host);
