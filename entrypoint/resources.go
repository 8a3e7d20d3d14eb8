package entrypoint

import (
	"context"
	"slices"

	"kota/bundles"
	"kota/metadata"
)

// Resources returns the resources of the discovery tools and of every enabled bundle.
func (r *Router) Resources() []bundles.Resource {
	all := slices.Clone(r.kota.Resources)
	for _, b := range r.installed {
		if b.Enabled {
			all = append(all, b.Resources...)
		}
	}
	return all
}

// ReadResource returns the cleaned text of a resource. The name replaces the variable in
// its URI. Every error is a *metadata.Error.
func (r *Router) ReadResource(ctx context.Context, resource bundles.Resource, name string) (string, error) {
	text, err := r.runBundleWork(ctx, resource.URI, func(ctx context.Context) (any, error) { return resource.Read(ctx, name) })
	if err != nil {
		return "", err
	}
	if resource.MIME == "application/json" {
		return string(bundles.CleanJSON([]byte(text.(string)))), nil
	}
	return bundles.Clean(text.(string)), nil
}

// Prompts returns the prompts of the discovery tools and of every enabled bundle.
func (r *Router) Prompts() []bundles.Prompt {
	all := slices.Clone(r.kota.Prompts)
	for _, b := range r.installed {
		if b.Enabled {
			all = append(all, b.Prompts...)
		}
	}
	return all
}

// RenderPrompt returns the cleaned text of a prompt. Every error is a *metadata.Error.
func (r *Router) RenderPrompt(ctx context.Context, prompt bundles.Prompt, args map[string]string) (string, error) {
	text, err := r.runBundleWork(ctx, "prompt "+prompt.Name, func(ctx context.Context) (any, error) { return prompt.Text(ctx, args) })
	if err != nil {
		return "", err
	}
	return bundles.Clean(text.(string)), nil
}

// Complete returns at most bundles.MaxCompletions values that complete the typed text.
// The parameter what names the argument in the log. Every error is a *metadata.Error.
func (r *Router) Complete(ctx context.Context, what string, values bundles.Complete, typed string) ([]string, error) {
	found, err := r.runBundleWork(ctx, what, func(ctx context.Context) (any, error) { return values(ctx, typed) })
	if err != nil {
		return nil, err
	}
	all := found.([]string)
	clean := make([]string, min(len(all), bundles.MaxCompletions))
	for i := range clean {
		clean[i] = bundles.Clean(all[i])
	}
	return clean, nil
}

// DiscoveryTools returns the tools that find, describe and run actions.
func (r *Router) DiscoveryTools() []metadata.Action {
	var actions []metadata.Action
	for _, a := range r.kota.Actions {
		actions = append(actions, a.Action)
	}
	return actions
}
