package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/server"
)

// examineHTTP checks the token and the certificate of `kota serve --http`, if
// they were set up.
func examineHTTP(a *app.App) []Finding {
	var found []Finding
	if f, exists := examineToken(a); exists {
		found = append(found, f)
	}
	if a.Config.HTTP.Cert != "" {
		found = append(found, examineCertificate(a))
	}
	for _, warning := range server.Warnings(a.Config.HTTP, nil, a.Now()) {
		found = append(found, Finding{Check: "http", OK: true, Saw: warning})
	}
	return found
}

func examineToken(a *app.App) (f Finding, exists bool) {
	f = Finding{Check: "http token"}
	bearer, err := server.Bearer(a.Config)
	if err != nil {
		f.Saw, f.Remedy = err.Error(), "Set KOTA_HTTP_TOKEN to another value, or unset it."
		return f, true
	}
	if bearer.Path() == "" {
		return f, false // valid, from the environment
	}
	if _, err := os.Lstat(bearer.Path()); errors.Is(err, fs.ErrNotExist) {
		return f, false // the first start makes it
	}
	if err := bearer.Check(); err != nil {
		f.Saw = err.Error()
		f.Remedy = "Clients cannot use the token until this is repaired. If other users may have read it, `kota http token --new` replaces it."
		return f, true
	}
	f.OK, f.Saw = true, bearer.Path()
	return f, true
}

func examineCertificate(a *app.App) Finding {
	f := Finding{Check: "certificate", Saw: a.Config.HTTP.Cert}
	cert, err := a.Config.HTTP.Certificate()
	if err != nil {
		f.Saw, f.Remedy = err.Error(), "Put the files there, or correct http.tls in "+a.Config.Name()+"."
		return f
	}
	if why := server.CertificateProblem(cert, a.Now()); why != "" {
		f.Saw, f.Remedy = a.Config.HTTP.Cert+": "+why, "Put a new certificate there and restart the server: clients refuse this one."
		return f
	}
	if info, err := os.Stat(a.Config.HTTP.Key); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o007 != 0 {
		// A container needs such a mode if another user has made the files. The folder may keep others out.
		f.Note, f.Saw = true, fmt.Sprintf("other users can read its key %s (mode %04o), unless they cannot reach its folder", a.Config.HTTP.Key, info.Mode().Perm())
		f.Remedy = "If they can, run: chmod 600 " + a.Config.HTTP.Key
	}
	f.OK = true
	return f
}
