" Colours of .tmx files. The keywords are the compiler's table (grammar/tokens.hpp), by what they do; a word that
" means something in one place only, such as `min` before a bracket, is coloured there.
if exists('b:current_syntax')
  finish
endif

syn keyword tmxDeclaration target const kernel function test tmem frag smem let
syn keyword tmxStatement copy copy_async wait sync run expect
syn keyword tmxControl for in step on warpgroup warp
syn keyword tmxModifier align at atom cta_group datapath direct grid inout layout ld masked out pitch
syn keyword tmxModifier st staged sub_slab swizzle unpacked warpgroups
syn keyword tmxType f32 f16 bf16 tf32 f8e4m3 f8e5m2 u8 s8 u16 s16 u32 s32 b8 b16 b32
syn keyword tmxAtom 32x32b 16x64b 16x128b 16x256b 16x32bx2

syn match tmxFunction "\<\%(min\|max\|abs\|fma\|exp2\|log2\|rcp\|rsqrt\|sqrt\|tanh\|relu\|select\|rows\|cols\|row_max\|row_min\|row_sum\)\>\ze\s*("
syn match tmxFunction "\<cast\>\ze\s*<"
syn match tmxGenerator "\%(=\s*\)\@<=\<\%(iota\|random\|zeros\|ones\|full\|cells\|npy\)\>"
syn match tmxName "\%(\<\%(kernel\|function\|run\)\s\+\)\@<=\h\w*"
syn match tmxCta "\<cta\s*\.\s*[xyz]\>"
syn match tmxAxis "\%(@\s*\)\@<=\<\%(tid_in_wg\|wid_in_wg\|laneid\|m\|TLane\|TCol\)\>"
syn match tmxOutcome "\<\%(fault\|error\)\s\+TM\d\{4}\>"
syn match tmxTolerance "\<[ra]tol\>\ze\s*-\?[0-9.]"

syn match tmxOperator "<-\|+:\|\.\.\|[-+*/%<>=!~@]"
syn match tmxNumber "\<\%(0x\x\+\%(_\x\+\)*\|0b[01]\+\%(_[01]\+\)*\|\d\+\%(_\d\+\)*\)\>"
syn match tmxFloat "\<\d\+\.\.\@!\d*\%([eE][-+]\?\d\+\)\?"
syn match tmxFloat "\w\@1<!\.\d\+\%([eE][-+]\?\d\+\)\?"
syn match tmxFloat "\<\d\+[eE][-+]\?\d\+\>"
syn match tmxEscape contained "\\[\\"]"
syn region tmxString start=+"+ skip=+\\[\\"]+ end=+"+ oneline contains=tmxEscape
syn keyword tmxTodo contained TODO FIXME
syn match tmxComment "//.*$" contains=tmxTodo
syn region tmxComment start="/\*" end="\*/" contains=tmxTodo fold

hi def link tmxDeclaration StorageClass
hi def link tmxStatement Statement
hi def link tmxControl Repeat
hi def link tmxModifier Keyword
hi def link tmxType Type
hi def link tmxAtom Constant
hi def link tmxFunction Function
hi def link tmxGenerator Function
hi def link tmxName Identifier
hi def link tmxCta Special
hi def link tmxAxis Constant
hi def link tmxOutcome Constant
hi def link tmxTolerance Keyword
hi def link tmxOperator Operator
hi def link tmxNumber Number
hi def link tmxFloat Float
hi def link tmxEscape SpecialChar
hi def link tmxString String
hi def link tmxTodo Todo
hi def link tmxComment Comment

syn sync fromstart

let b:current_syntax = 'tmx'
