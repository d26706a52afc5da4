/** A version as it was: an outline of its drawing, and its nodes. */
import { useEffect, useState } from 'preact/hooks';
import type { OpenedVersion } from '../../../../packages/client/src/schemas';
import { LoadMore } from '../../components/paged-table';
import { type Column, Table } from '../../components/table';
import { CopyableId } from '../../references/copyable-id';
import { labelOf, type Shape, shapesOf, viewBoxOf } from './shapes';
import { readScene, type SceneNode } from './snapshot-scene';

/** Beyond this number a browser is slow to draw them. */
const maxShapes = 5_000;
const pageSize = 50;

const ShapeView = ({ shape: { type, label, matrix, bounds, fill } }: { readonly shape: Shape }) => {
  const { x, y, width, height } = bounds;
  const drawn = { transform: `matrix(${matrix.join(' ')})`, fill: fill ?? 'none', class: 'scene-shape' } as const;
  return type === 'ellipse' ? (
    <ellipse {...drawn} cx={x + width / 2} cy={y + height / 2} rx={width / 2} ry={height / 2}>
      <title>{label}</title>
    </ellipse>
  ) : (
    <rect {...drawn} x={x} y={y} width={width} height={height}>
      <title>{label}</title>
    </rect>
  );
};

const Drawing = ({ shapes }: { readonly shapes: readonly Shape[] }) => {
  const { x, y, width, height } = viewBoxOf(shapes);
  return (
    <svg class="scene" role="img" aria-label="Outline of the drawing" viewBox={`${x} ${y} ${width} ${height}`}>
      {shapes.map((shape) => (
        <ShapeView key={shape.id} shape={shape} />
      ))}
    </svg>
  );
};

const columns: readonly Column<SceneNode>[] = [
  {
    title: 'Node',
    show: (node) => (
      <>
        {labelOf(node)}
        <div class="below">
          <CopyableId id={node.id} of={labelOf(node)} />
        </div>
      </>
    ),
  },
  { title: 'Type', show: ({ type }) => type },
  {
    title: 'In',
    isWide: true,
    show: ({ parentId }) => (parentId === null ? 'the document' : <span class="mono">{parentId}</span>),
  },
];

const Nodes = ({ nodes }: { readonly nodes: readonly SceneNode[] }) => {
  const [count, setCount] = useState(pageSize);
  return (
    <>
      <Table label="Nodes" rows={nodes.slice(0, count)} columns={columns} keyOf={({ id }) => id} />
      <LoadMore
        count={Math.min(count, nodes.length)}
        one="node"
        more={nodes.length > count ? () => setCount(count + pageSize) : undefined}
        isLoading={false}
      />
    </>
  );
};

type Scene = { readonly nodes: readonly SceneNode[] } | { readonly fault: string };

const useScene = (version: OpenedVersion): Scene | undefined => {
  const [scene, setScene] = useState<Scene>();
  useEffect(() => {
    let isLeft = false;
    const show = (next: Scene): void => {
      if (!isLeft) setScene(next);
    };
    readScene(version).then(
      (nodes) => show({ nodes }),
      () => show({ fault: 'The content of this version could not be read. Reload the page to try again.' }),
    );
    return () => {
      isLeft = true;
    };
  }, [version]);
  return scene;
};

export const ScenePicture = ({ version }: { readonly version: OpenedVersion }) => {
  const scene = useScene(version);
  if (scene === undefined) return <p class="notice">Reading the content…</p>;
  if ('fault' in scene) return <p class="notice bad">{scene.fault}</p>;
  if (scene.nodes.length === 0) return <p class="notice">The document was empty.</p>;
  const shapes = shapesOf(scene.nodes);
  return (
    <>
      {shapes.length > 0 && shapes.length <= maxShapes && <Drawing shapes={shapes} />}
      <Nodes nodes={scene.nodes} />
    </>
  );
};
