package discovery

import (
	"strings"

	"kota/metadata"
)

// brokenToolError returns the error for a call of a tool if its bundle cannot work, or nil.
func (c *Catalogue) brokenToolError(tool string) error {
	key := "" // the longest that fits, because the key of a bundle may begin with that of another
	for _, b := range c.installed {
		if strings.HasPrefix(tool, b.Key+"_") && len(b.Key) > len(key) {
			key = b.Key
		}
	}
	return c.brokenBundleError(key)
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
