package entrypoint

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"kota/bundles"
	"kota/metadata"
)

// checkKeys returns an error when two bundles have the same key.
func checkKeys(all []bundles.Bundle) error {
	seen := map[string]bool{}
	for _, b := range all {
		if seen[b.Key] {
			return fmt.Errorf("two bundles have the key %q", b.Key)
		}
		seen[b.Key] = true
	}
	return nil
}

// unfit says of each installed bundle why it cannot work, "" when it can. They
// are looked at beside each other: a client waits for it.
func (r *Router) unfit(all []bundles.Bundle) []string {
	reasons := make([]string, len(r.installed))
	var looking sync.WaitGroup
	for i, b := range r.installed {
		looking.Go(func() { reasons[i] = r.misfit(b, all) })
	}
	looking.Wait()
	return reasons
}

// misfit says why the bundle, if it is on, cannot work as long as the program
// runs, and what to do; "" when it can. A bundle that misdescribes itself is a
// fault of KOTA's, which is logged.
func (r *Router) misfit(b bundles.Bundle, all []bundles.Bundle) (reason string) {
	if b.IsBroken() {
		return b.Unavailable
	}
	for _, related := range b.Relationships {
		if related.Type != metadata.DependsOn {
			continue
		}
		i := slices.IndexFunc(all, func(other bundles.Bundle) bool { return other.Key == related.Bundle })
		switch {
		case i < 0:
			return fmt.Sprintf("it depends on the bundle %q, which does not exist: run `kota bundles disable %s`", related.Bundle, b.Key)
		case !all[i].Enabled:
			return fmt.Sprintf("it depends on the bundle %q, which is off: run `kota bundles enable %[1]s`", related.Bundle)
		}
	}
	if !b.Enabled {
		return ""
	}
	defer func() {
		if p := recover(); p != nil {
			reason = Misfit(b.Key, Panicked(r.log, "bundle "+b.Key, p))
		}
	}()
	b.Check()
	return ""
}

// Misfit says of a bundle that it cannot work for a fault of KOTA's, and what to
// do.
func Misfit(key string, fault *metadata.Error) string {
	return fmt.Sprintf("%s; run `kota bundles disable %s` to be rid of it", fault.Message, key)
}

// Broken returns why the bundles that are on and cannot work cannot, by their
// keys.
func (r *Router) Broken() map[string]string { return maps.Clone(r.broken) }

// brokenTool returns the answer to a call of a tool of a bundle that cannot work,
// whatever its tools are; nil for all others.
func (r *Router) brokenTool(tool string) error {
	for key := range r.broken {
		if strings.HasPrefix(tool, key+"_") {
			return r.brokenBundle(key)
		}
	}
	return nil
}

// brokenBundle is brokenTool for the key of a bundle.
func (r *Router) brokenBundle(key string) error {
	reason, ok := r.broken[key]
	if !ok {
		return nil
	}
	return metadata.Errorf(metadata.Unavailable, "the bundle %s cannot be used: %s", key, reason).
		WithHint("The other bundles work. `kota doctor` says more.")
}

// unavailableNow says why the bundle cannot run now, and what to do; "" when it
// can, or is off.
func (c *catalogue) unavailableNow(b metadata.Bundle) string {
	if b.Unavailable != "" || !b.Enabled || c.trouble == nil {
		return b.Unavailable
	}
	return c.trouble(b.Key)
}
