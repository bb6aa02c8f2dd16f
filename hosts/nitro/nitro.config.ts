// biome-ignore lint/style/noDefaultExport: Nitro asks for it
export default { serverDir: './' };
