import { signal } from '@preact/signals';

/** Whether a command is under way: its dialog stays open, so that its answer is seen. */
export const isSending = signal(false);
