// What goes between the parts of the system on chip as one; a port of type x_t carries the meaning in its name.
//
// SPDX-License-Identifier: Apache-2.0
package ocs_soc_pkg;
  // A word of the command ring that the host writes.
  typedef struct packed {
    logic we;           // it is written at this edge
    logic [10:0] addr;  // its place
    logic [31:0] data;  // the word
  } command_t;

  // How far a side of a ring has come.
  typedef struct packed {
    logic we;            // it says so at this edge
    logic [31:0] words;  // words that it has ever written, or taken
  } ring_t;

  // What the mailbox shows the host.
  typedef struct packed {
    logic [31:0] alerts;        // how often the firmware had bad news
    logic [31:0] answer_head;   // words of answers ever written
    logic [31:0] answer_data;   // the word of the answer ring that is asked for
    logic [31:0] command_tail;  // words of commands ever taken
  } mailbox_t;

  // A word of memory that the host loads.
  typedef struct packed {
    logic we;           // it is written at this edge
    logic [31:0] addr;  // its byte address, as the core sees it
    logic [31:0] data;  // the word
  } load_t;

  // A character that is printed.
  typedef struct packed {
    logic valid;           // there is one at this edge
    logic [7:0] character;
  } console_t;

  // An instruction that is fetched.
  typedef struct packed {
    logic valid;        // there is one at this edge
    logic [31:0] addr;  // from here
  } fetch_t;

  // An event that was taken from the switch.
  typedef struct packed {
    logic valid;         // there is one
    logic [31:0] word;   // as register EVENT shows it
    logic [31:0] cycle;  // low word of its stamp
  } event_t;
endpackage
