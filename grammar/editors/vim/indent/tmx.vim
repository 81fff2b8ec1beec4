" As tmemc fmt indents: blocks by two, what continues a statement by four.
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal cindent cinoptions=+4,(4,W4,J0,L0 cinkeys=0{,0},!^F,o,O
let b:undo_indent = 'setlocal cindent< cinoptions< cinkeys<'
