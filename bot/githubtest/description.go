package githubtest

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
)

//go:embed description.json
var descriptionJSON []byte

// description holds requests and answers against what GitHub says of them.
type description struct {
	doc    *openapi3.T
	router routers.Router
}

// loadDescription reads the description once; it is not changed afterwards.
var loadDescription = sync.OnceValues(func() (*description, error) {
	doc, err := openapi3.NewLoader().LoadFromData(descriptionJSON)
	if err != nil {
		return nil, fmt.Errorf("description.json: %w", err)
	}
	doc.Servers = nil // any address
	correct(doc)
	router, err := legacy.NewRouter(doc, openapi3.DisableExamplesValidation())
	if err != nil {
		return nil, fmt.Errorf("description.json: %w", err)
	}
	return &description{doc, router}, nil
})

// correct lets the repository of a pull request's head be null, as it is after a
// fork was deleted; the description forgets that.
func correct(doc *openapi3.T) {
	for _, name := range []string{"pull-request", "pull-request-simple"} {
		fields := doc.Components.Schemas[name].Value.Properties["head"].Value.Properties
		nullable := *fields["repo"].Value
		nullable.Nullable = true
		fields["repo"] = openapi3.NewSchemaRef("", &nullable)
	}
}

// request returns the operation asked for, nil without one, and what is
// wrong with the request.
func (d *description) request(r *http.Request, path string, body []byte) (input *openapi3filter.RequestValidationInput, wrong, err error) {
	again := r.Clone(r.Context())
	// The names of files have slashes, which the description says in an extension.
	if before, file, ok := strings.Cut(path, "/contents/"); ok {
		path = before + "/contents/" + strings.ReplaceAll(file, "/", "%2F")
	}
	again.URL = &url.URL{Path: path, RawQuery: r.URL.RawQuery}
	again.Body = io.NopCloser(bytes.NewReader(body))
	route, params, err := d.router.FindRoute(again)
	if err != nil {
		return nil, nil, fmt.Errorf("not in the description: %w", err)
	}
	input = &openapi3filter.RequestValidationInput{
		Request: again, PathParams: params, Route: route,
		Options: &openapi3filter.Options{MultiError: true, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	}
	if err := unknownQuery(route, r.URL.Query()); err != nil {
		return input, err, nil
	}
	return input, openapi3filter.ValidateRequest(r.Context(), input), nil
}

// unknownQuery rejects parameters that GitHub does not know: a request that
// filters by one would silently not be filtered.
func unknownQuery(route *routers.Route, query url.Values) error {
	var known []string
	for _, p := range slices.Concat(route.PathItem.Parameters, route.Operation.Parameters) {
		if p.Value != nil && p.Value.In == openapi3.ParameterInQuery {
			known = append(known, p.Value.Name)
		}
	}
	for name := range query {
		if !slices.Contains(known, name) {
			return fmt.Errorf("no parameter is called %q; there are %s", name, strings.Join(known, ", "))
		}
	}
	return nil
}

func (d *description) response(r *http.Request, input *openapi3filter.RequestValidationInput, w *httptest.ResponseRecorder) error {
	if w.Code == http.StatusUnauthorized || w.Code >= 500 {
		return nil // not described for every operation
	}
	if input.Route.Operation.Responses.Status(w.Code) == nil && w.Code >= 400 {
		return nil // nor are all refusals
	}
	return openapi3filter.ValidateResponse(context.WithoutCancel(r.Context()), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: w.Code, Header: w.Header(),
		Body:    io.NopCloser(bytes.NewReader(w.Body.Bytes())),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	})
}

// schema of a component.
func (d *description) schema(name string) *openapi3.Schema {
	return d.doc.Components.Schemas[name].Value
}

// sample is a value that the schema allows: what is required, and no more, with
// fields put over it. So answers are whole without a copy of GitHub's texts.
func (d *description) sample(name string, fields map[string]any) map[string]any {
	v, _ := sample(d.schema(name), 0).(map[string]any)
	overlay(v, fields)
	return v
}

func overlay(v, fields map[string]any) {
	for k, f := range fields {
		inner, isObject := f.(map[string]any)
		if under, ok := v[k].(map[string]any); ok && isObject {
			overlay(under, inner)
			continue
		}
		v[k] = f
	}
}

func sample(s *openapi3.Schema, depth int) any {
	switch {
	case s == nil || s.Nullable || depth > 8:
		return nil
	case len(s.Enum) > 0:
		return s.Enum[0]
	case len(s.AllOf) > 0:
		all := map[string]any{}
		for _, part := range s.AllOf {
			if v, ok := sample(part.Value, depth+1).(map[string]any); ok {
				overlay(all, v)
			}
		}
		return all
	case len(s.OneOf) > 0:
		return sample(s.OneOf[0].Value, depth+1)
	case len(s.AnyOf) > 0:
		return sample(s.AnyOf[0].Value, depth+1)
	case s.Type.Is(openapi3.TypeString):
		return sampleText(s.Format)
	case s.Type.Is(openapi3.TypeInteger), s.Type.Is(openapi3.TypeNumber):
		return 1
	case s.Type.Is(openapi3.TypeBoolean):
		return false
	case s.Type.Is(openapi3.TypeArray):
		return []any{}
	}
	v := map[string]any{}
	for _, name := range s.Required {
		if p := s.Properties[name]; p != nil {
			v[name] = sample(p.Value, depth+1)
		}
	}
	return v
}

func sampleText(format string) string {
	switch format {
	case "uri":
		return "https://github.example/"
	case "date-time":
		return "2026-01-02T03:04:05Z"
	case "email":
		return "someone@example.com"
	}
	return "sample"
}
