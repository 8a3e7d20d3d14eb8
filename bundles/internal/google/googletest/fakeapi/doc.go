// Package fakeapi holds what the fakes of Google's APIs share: a server on
// loopback, sign-in, batches, partial responses, faults and a log of requests.
//
// It is strict. It checks every request against the discovery document of its
// Service. An unknown path, parameter or body field, a wrong type or a value
// outside an enumeration is a violation. A violation is reported and gets
// status 400. The answer of a Handler is checked against the same document.
//
// Start reading at Start and Server.perform. fakegmail and fakecalendar have the
// handlers.
package fakeapi
