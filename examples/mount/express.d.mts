import type { RequestListener } from 'node:http';
import type { Handler } from 'dealwright/http';

export function mountInExpress(handler: Handler): RequestListener;
