/** A path or an address, which breaks after its slashes first. */
export const BreakablePath = ({ path }: { readonly path: string }) => (
  <>
    {path.split(/(?<=[^/]\/)(?!\/)/).map((part, index) => (
      <span key={index}>
        {part}
        <wbr />
      </span>
    ))}
  </>
);
