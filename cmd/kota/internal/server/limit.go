package server

import (
	"cmp"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/footprint"
)

const (
	tenantMemory  = 5 << 20   // what an open tenant with a SQLite file takes
	serverMemory  = 80 << 20  // what the server takes without tenants
	assumedMemory = 160 << 20 // what the process may take if the memory of the machine is unknown

)

// heapOf returns the part of Go's heap that an open tenant keeps in use: a tenant with a SQLite file has
// caches.
func heapOf(a *app.App) int64 {
	if a.Config.HasServer() {
		return 128 << 10
	}
	return 1 << 20
}

// MaxTenants returns how many tenants may be open at the same time, besides the user who runs the
// server. For SQLite files it is how many the memory is enough for, and at least 1. It returns 0,
// which means no limit, with a database server: an open tenant then has no files and no caches.
func MaxTenants(a *app.App) int {
	if a.Config.HasServer() {
		return 0
	}
	budget := cmp.Or(footprint.Budget(), assumedMemory)
	return int(max(1, (budget-serverMemory)/tenantMemory))
}
