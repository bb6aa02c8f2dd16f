/**
 * The few texts that are read from the XML of an S3 service. None of them contains markup, so no
 * parser of XML is needed, with its risks of entities and external documents.
 */

/** The text of the first element of this name. */
export function textOf(xml: string, element: string): string | undefined {
  return textsOf(xml, element)[0];
}

/** The texts of all elements of this name that contain text alone. */
export function textsOf(xml: string, element: string): string[] {
  const found = xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'));
  return [...found].map(([, text = '']) => decodeXml(text));
}

/**
 * A page of keys; `undefined` if the answer is not one. The keys were asked for in URL encoding.
 */
export function readKeys(xml: string): { keys: string[]; isTruncated: boolean } | undefined {
  if (!xml.includes('<ListBucketResult')) return undefined;
  try {
    const keys = textsOf(xml, 'Key').map((key) => decodeURIComponent(key.replaceAll('+', ' ')));
    return { keys, isTruncated: textOf(xml, 'IsTruncated') === 'true' };
  } catch {
    return undefined;
  }
}

/** The body that makes the service join the parts: their `ETag`s in their order. */
export function partList(etags: readonly string[]): string {
  const parts = etags.map(
    (etag, index) =>
      `<Part><PartNumber>${index + 1}</PartNumber><ETag>${encodeXml(etag)}</ETag></Part>`,
  );
  const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';
  return `<CompleteMultipartUpload xmlns="${namespace}">${parts.join('')}</CompleteMultipartUpload>`;
}

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

function decodeXml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|apos);/g, (entity) => characters[entity] ?? entity);
}

function encodeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
