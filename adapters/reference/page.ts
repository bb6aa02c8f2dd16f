/** The page itself; all paths are relative, so that it works below any path. */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="reference/swagger-ui.css">
<link rel="stylesheet" href="reference/page.css">
</head>
<body>
<div id="reference"><noscript><p>This page needs JavaScript. The document that it shows is <a href="openapi.json">openapi.json</a>.</p></noscript></div>
<script src="reference/swagger-ui-bundle.js"></script>
<script src="reference/initialize.js"></script>
</body>
</html>
`;

/** Without a foreign validator, and without parameters of the page's address. */
export const initialize = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  validatorUrl: null,
  queryConfigEnabled: false,
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  tryItOutEnabled: false,
  defaultModelsExpandDepth: 0,
});
`;

export const style = `body { margin: 0; background: #fafafa; }
`;
