package pipeline

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

// checkKeys returns an error if two bundles have the same key, or if a key is reserved for the
// discovery tools.
func checkKeys(all []bundles.Bundle) error {
	seen := map[string]bool{}
	for _, b := range all {
		if seen[b.Key] {
			return fmt.Errorf("two bundles have the key %q", b.Key)
		}
		if b.Key == entrypoint.ToolsKey || strings.HasPrefix(b.Key, entrypoint.ToolsKey+"_") {
			return fmt.Errorf("the bundle key %q is reserved for the discovery tools", b.Key)
		}
		seen[b.Key] = true
	}
	return nil
}

// markBroken finds the enabled bundles that cannot work. In installed, it replaces each of them
// by the result of bundles.Broken. It returns the reasons by bundle key. It checks the bundles
// in parallel, because a client waits for the result.
func markBroken(log *slog.Logger, installed, all []bundles.Bundle) map[string]string {
	reasons := make([]string, len(installed))
	var checks sync.WaitGroup
	for i, b := range installed {
		checks.Go(func() { reasons[i] = brokenReason(log, b, all) })
	}
	checks.Wait()
	broken := map[string]string{}
	for i, b := range installed {
		if b.Enabled && reasons[i] != "" {
			broken[b.Key] = reasons[i]
			installed[i] = bundles.Broken(b.Bundle, reasons[i])
		}
	}
	return broken
}

// brokenReason returns why an enabled bundle cannot work in this process, and what to do. It
// returns "" if the bundle can work. If the bundle's schemas cannot be made, it logs the
// panic as an internal error.
func brokenReason(log *slog.Logger, b bundles.Bundle, all []bundles.Bundle) (reason string) {
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
			reason = InternalErrorReason(b.Key, entrypoint.ReportPanic(log, "bundle "+b.Key, p))
		}
	}()
	b.MakeSchemas()
	return ""
}

// InternalErrorReason returns that a bundle cannot work because of an internal error, and what
// to do.
func InternalErrorReason(key string, fault *metadata.Error) string {
	return fmt.Sprintf("%s; run `kota bundles disable %s` to disable it", fault.Message, key)
}
