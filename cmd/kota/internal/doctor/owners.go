package doctor

import (
	"errors"
	"fmt"
	"strings"

	"kota/auth"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/tenant"
)

// maxListedOwners is how many owners are listed; `kota owners` lists all.
const maxListedOwners = 8

// examineOwners checks the folders of the HTTP server's tenants: who owns each
// folder and whether others could put files there. `kota doctor --owner` checks
// the content of a folder.
func examineOwners(a *app.App) []Finding {
	if a.Config.Owner != "" {
		return nil
	}
	lines, err := a.Registry().Owners()
	if err != nil {
		return []Finding{{Check: "owners", Saw: err.Error(), Remedy: "Run: chmod 700 " + a.Registry().Path()}}
	}
	var found []Finding
	var names []string
	for _, l := range lines {
		if f, well := examineOwner(l); !well {
			found = append(found, f)
			continue
		}
		names = append(names, l.Name)
	}
	if err := auth.CheckProtected(a.Registry().Path()); err != nil && len(lines) > 0 {
		found = append(found, unsafeFinding("owners", err))
	}
	if len(names) == 0 {
		return found
	}
	shown := strings.Join(names[:min(len(names), maxListedOwners)], ", ")
	if len(names) > maxListedOwners {
		shown += fmt.Sprintf(" and %d more: see `kota owners`", len(names)-maxListedOwners)
	}
	return append(found, Finding{Check: "owners", OK: true, Saw: shown, Remedy: "`kota doctor --owner NAME` checks the data of one person."})
}

// examineOwner reports why the server cannot open an owner's folder. If the
// server can, well is true and the finding is empty.
func examineOwner(l tenant.Owner) (f Finding, well bool) {
	check := "owner " + l.Name
	switch {
	case l.Problem != "" && l.Subject != "": // the folder belongs to somebody else, so the server refuses l.Subject
		return Finding{Check: check, Saw: l.Problem, Remedy: "Until this is fixed, the server refuses " + l.Subject + "."}, false
	case l.Problem != "":
		return Finding{Check: check, Saw: l.Path + ": " + l.Problem, Remedy: "Restore its " + tenant.RecordFile + " from a backup, or move the folder away."}, false
	}
	if err := auth.CheckProtected(l.Path); err != nil {
		return unsafeFinding(check, err), false
	}
	return Finding{}, true
}

// unsafeFinding returns the finding for what auth.CheckProtected refuses.
func unsafeFinding(check string, err error) Finding {
	f := Finding{Check: check, Saw: err.Error()}
	if unsafe := (*auth.UnsafeError)(nil); errors.As(err, &unsafe) {
		f.Saw, f.Remedy = unsafe.Path+" "+unsafe.Why, "Until this is fixed, the server refuses the people whose folders are affected. Run: "+unsafe.Remedy
	}
	return f
}
