// Shows the API's own description, and lets it be tried with the session of who reads it.

const page = document.getElementById("api-docs");

SwaggerUIBundle({
  domNode: page,
  url: page.dataset.document,
  deepLinking: true,
  layout: "BaseLayout",
  presets: [SwaggerUIBundle.presets.apis],
  validatorUrl: null,
  requestInterceptor: (request) => {
    request.headers["X-CSRFToken"] = page.dataset.csrfToken;
    return request;
  },
});
