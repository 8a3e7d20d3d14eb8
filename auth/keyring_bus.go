//go:build linux || netbsd || openbsd || freebsd || dragonfly

package auth

import "github.com/godbus/dbus/v5"

// reachable returns why there is no keyring. Without a session bus the keyring's
// package would start one of its own, with no keyring on it.
func reachable() error {
	bus, err := dbus.SessionBusPrivateNoAutoStartup()
	if err != nil {
		return err
	}
	return bus.Close()
}
