" Comments, blanks and the compiler of .tmx files.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal shiftwidth=2 softtabstop=2 expandtab textwidth=100
setlocal comments=s1:/*,mb:*,ex:*/,:// commentstring=//\ %s formatoptions-=t
setlocal makeprg=tmemc\ check\ % errorformat=%f:%l:%c:\ %trror[%.%#]:\ %m,%f:%l:%c:\ %tarning[%.%#]:\ %m,%-G%.%#
let b:undo_ftplugin = 'setlocal sw< sts< et< tw< com< cms< fo< mp< efm<'
