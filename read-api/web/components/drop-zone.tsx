/** Takes files that are dropped anywhere onto the window: a near miss would open them in place of the page. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export interface DroppedFiles {
  readonly files: readonly File[];
  /** Names of folders, which have no bytes to read. */
  readonly folders: readonly string[];
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

const droppedIn = ({ items }: DataTransfer): DroppedFiles => {
  const files: File[] = [];
  const folders: string[] = [];
  for (const item of items) {
    const file = item.kind === 'file' ? item.getAsFile() : null;
    if (file === null) continue;
    if (item.webkitGetAsEntry()?.isDirectory === true) folders.push(file.name);
    else files.push(file);
  }
  return { files, folders };
};

interface Props {
  /** Undefined: nothing may be uploaded here. */
  readonly onDrop: ((dropped: DroppedFiles) => void) | undefined;
  /** What happens with files that are dropped now. */
  readonly note: string;
  readonly children: ComponentChildren;
}

export const DropZone = ({ onDrop, note, children }: Props) => {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onDrop);
  latest.current = onDrop;
  const isOpen = onDrop !== undefined;
  useEffect(() => {
    if (!isOpen) return undefined;
    let depth = 0;
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      depth += 1;
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth - 1);
      setOver(depth > 0);
    };
    const over = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      latest.current?.(droppedIn(event.dataTransfer));
    };
    addEventListener('dragenter', enter);
    addEventListener('dragleave', leave);
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragenter', enter);
      removeEventListener('dragleave', leave);
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, [isOpen]);
  return (
    <div class={isOver ? 'drop-zone over' : 'drop-zone'}>
      {isOver && <p class="drop-note">{note}</p>}
      {children}
    </div>
  );
};
