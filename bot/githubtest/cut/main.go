package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// operations that the bot, or a test of it, uses.
var operations = []string{
	"GET /rate_limit",
	"GET /user",
	"GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}",
	"GET /repos/{owner}/{repo}/actions/runs/{run_id}",
	"GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts",
	"POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun",
	"POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs",
	"POST /repos/{owner}/{repo}/check-runs",
	"GET /repos/{owner}/{repo}/check-runs/{check_run_id}",
	"PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
	"GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations",
	"GET /repos/{owner}/{repo}/collaborators/{username}/permission",
	"GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls",
	"GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
	"GET /repos/{owner}/{repo}/compare/{basehead}",
	"GET /repos/{owner}/{repo}/contents/{path}",
	"GET /repos/{owner}/{repo}/git/commits/{commit_sha}",
	"GET /repos/{owner}/{repo}/issues/comments/{comment_id}",
	"PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
	"DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}",
	"GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions",
	"POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions",
	"GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
	"POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
	"GET /repos/{owner}/{repo}/pulls",
	"GET /repos/{owner}/{repo}/pulls/{pull_number}",
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: cut api.github.com.json description.json")
		os.Exit(2)
	}
	if err := cut(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintf(os.Stderr, "cut: %v\n", err)
		os.Exit(1)
	}
}

type object = map[string]any

func cut(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber() // large integers stay as they are written
	var full object
	if err := d.Decode(&full); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	paths, err := keep(full)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	info, _ := full["info"].(object)
	out := object{
		"openapi": full["openapi"],
		"info":    object{"title": info["title"], "version": info["version"], "license": info["license"]},
		"paths":   paths,
	}
	if out["components"], err = components(full, paths); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ") // a line for each field, so that a new description can be reviewed
	if err := e.Encode(out); err != nil {
		return err
	}
	return os.WriteFile(to, text.Bytes(), 0o644)
}

// keep takes the listed operations out of the description.
func keep(full object) (object, error) {
	all, _ := full["paths"].(object)
	kept := object{}
	for _, o := range operations {
		method, path, _ := strings.Cut(o, " ")
		item, _ := all[path].(object)
		operation, ok := item[strings.ToLower(method)].(object)
		if !ok {
			return nil, fmt.Errorf("there is no operation %s; is this the description of api.github.com?", o)
		}
		into, _ := kept[path].(object)
		if into == nil {
			into = object{}
			kept[path] = into
			if p, ok := item["parameters"]; ok {
				into["parameters"] = strip(p)
			}
		}
		into[strings.ToLower(method)] = strip(operation)
	}
	return kept, nil
}

// components collects what is referred to, and what that refers to.
func components(full, paths object) (object, error) {
	kept := object{}
	pending := references(paths, nil)
	for len(pending) > 0 {
		ref := pending[0]
		pending = pending[1:]
		kind, name, ok := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/")
		if !ok {
			return nil, fmt.Errorf("the reference %s leads out of the components", ref)
		}
		group, _ := kept[kind].(object)
		if group == nil {
			group = object{}
			kept[kind] = group
		}
		if _, done := group[name]; done {
			continue
		}
		all, _ := full["components"].(object)
		of, _ := all[kind].(object)
		value, ok := of[name]
		if !ok {
			return nil, fmt.Errorf("the reference %s leads nowhere", ref)
		}
		group[name] = strip(value)
		pending = references(group[name], pending)
	}
	return kept, nil
}

func references(v any, into []string) []string {
	switch v := v.(type) {
	case object:
		if ref, ok := v["$ref"].(string); ok {
			return append(into, ref)
		}
		for _, e := range v {
			into = references(e, into)
		}
	case []any:
		for _, e := range v {
			into = references(e, into)
		}
	}
	return into
}

// strip leaves out what no request is validated by. Below "properties" the keys
// are names of fields, which may be called "description" too.
func strip(v any) any {
	switch v := v.(type) {
	case object:
		out := object{}
		for k, e := range v {
			switch {
			case k == "properties":
				fields, _ := e.(object)
				kept := object{}
				for name, field := range fields {
					kept[name] = strip(field)
				}
				out[k] = kept
			case k == "description" && v["content"] == nil && v["headers"] == nil && !isResponse(v),
				k == "summary", k == "example", k == "examples", k == "externalDocs", k == "tags",
				k == "title", strings.HasPrefix(k, "x-"):
			case k == "description":
				out[k] = "-" // a response must have one
			default:
				out[k] = strip(e)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = strip(e)
		}
		return out
	}
	return v
}

// isResponse reports whether an object describes a response without content, and
// is no schema.
func isResponse(v object) bool {
	for _, k := range []string{"type", "schema", "$ref", "allOf", "anyOf", "oneOf", "properties", "enum", "operationId", "in"} {
		if _, ok := v[k]; ok {
			return false
		}
	}
	return true
}
