/** Short messages about what an action did. `components/toast-region.tsx` shows them. */
import { signal } from '@preact/signals';

export interface Toast {
  readonly id: number;
  readonly text: string;
}

/** Older ones make room. */
const maxToasts = 3;

export const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** A sentence: `The session was ended.` */
export const showToast = (text: string): void => {
  lastId += 1;
  toasts.value = [...toasts.value, { id: lastId, text }].slice(-maxToasts);
};

export const dismissToast = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
};
