// How checks are written: what a module expects of its users is OCS_USE, a proof assumes it; what it promises is assert.
//
// SPDX-License-Identifier: Apache-2.0
`ifndef OCS_CHECKS_SVH
`define OCS_CHECKS_SVH
`ifdef OCS_PROVE
`define OCS_USE assume
`else
`define OCS_USE assert
`endif
`endif
