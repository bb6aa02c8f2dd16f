// biome-ignore lint/style/noDefaultExport: Next asks for it
export default function Page() {
  return <p>This page is of Next itself.</p>;
}
