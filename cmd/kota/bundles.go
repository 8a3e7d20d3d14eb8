package main

import (
	"kota/bundles"
	"kota/bundles/memory"
)

// bundles is the list of all there are, on or off. A new bundle is a package,
// a line here and an entry in bundles.yaml.
func (a *app) bundles() []bundles.Bundle {
	return []bundles.Bundle{
		memory.New(memory.Deps{DB: a.openDB, Now: a.now}),
	}
}
