package discovery

import (
	"strings"

	"kota/metadata"
)

// brokenToolError returns the error for a call of a tool if its bundle cannot work, or nil.
func (c *Catalogue) brokenToolError(tool string) error {
	for key := range c.broken {
		if strings.HasPrefix(tool, key+"_") {
			return c.brokenBundleError(key)
		}
	}
	return nil
}

// brokenBundleError is brokenToolError for the key of a bundle.
func (c *Catalogue) brokenBundleError(key string) error {
	reason, ok := c.broken[key]
	if !ok {
		return nil
	}
	return metadata.Errorf(metadata.Unavailable, "the bundle %s cannot be used: %s", key, reason).
		WithHint("The other bundles work. `kota doctor` says more.")
}

// unavailableReason returns why the bundle cannot run now and what to do, or "" if no reason is
// known. For a disabled bundle, it returns b.Unavailable.
func (c *Catalogue) unavailableReason(b metadata.Bundle) string {
	if b.Unavailable != "" || !b.Enabled || c.problem == nil {
		return b.Unavailable
	}
	return c.problem(b.Key)
}
