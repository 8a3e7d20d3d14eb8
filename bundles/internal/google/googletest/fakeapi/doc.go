// Package fakeapi is what the fakes of Google's APIs have in common: a server on
// loopback, sign-in, batches, partial responses, faults and a log of requests.
//
// It is strict. Every request is checked against the discovery document of its
// Service: an unknown path, parameter or body field, a wrong type, a value
// outside an enumeration is a violation, which is reported and answered with 400.
// What a Handler answers is checked against the same document.
//
// Start reading at Start and Server.perform. fakegmail and fakecalendar have the
// handlers.
package fakeapi
