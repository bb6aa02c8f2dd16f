/** The order of text in databases; by UTF-16 characters above U+FFFF would come before U+E000. */
export function byCodePoint(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at += 1) {
    const [ours, theirs] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (ours === theirs) continue;
    const isBeyond = (unit: number) => unit >= 0xd800 && unit < 0xe000;
    if (isBeyond(ours) !== isBeyond(theirs)) return isBeyond(ours) ? 1 : -1;
    return ours - theirs;
  }
  return a.length - b.length;
}
