//go:build linux || netbsd || openbsd || freebsd || dragonfly

package auth

import "github.com/godbus/dbus/v5"

// checkKeyring returns why KOTA cannot use the keyring, or nil. Without a session bus, the
// keyring's package would start a bus, which has no keyring.
func checkKeyring() error {
	bus, err := dbus.SessionBusPrivateNoAutoStartup()
	if err != nil {
		return err
	}
	return bus.Close()
}
