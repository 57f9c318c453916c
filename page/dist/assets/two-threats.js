var e=`(;FF[4]CA[UTF-8]GM[4]SZ[15]XRU[15x15,k=5]EV[Why two threats win]AN[Collinear]XLG[en]GN[The straight four]XGU[B]AB[gh][hh][ih]AW[hf][jj][ef]PL[B]XSL[1]C[Black to move, and White has **one** stone for each of Black's.

Whatever makes *one* threat is stopped by one stone. Which stone makes *two* at once?]CR[gh][hh][ih]
(;B[jh]C[Four in a row with both ends open\\: the **straight four**. It threatens f8 and k8, and one stone stops only one of them.]MA[fh][kh]XHU[red:MA:fh][red:MA:kh];W[kh]C[White stops one end …];B[fh]C[… and Black completes five at the other.]LN[fh:jh]XHU[green:LN:fh:jh])
(;B[fh]C[The same from the other side\\: now e8 and j8 are threatened.]MA[eh][jh]XHU[red:MA:eh][red:MA:jh];W[eh];B[jh]C[Five.]LN[fh:jh]XHU[green:LN:fh:jh])
(;B[kh]C[A mistake\\: this is a four too, but with a hole. It threatens only j8.]BM[1]MA[jh]XHU[red:MA:jh];W[jh]C[One threat, one stone\\: White has stopped it, and the three on the left has lost an end.]SQ[jh]))
(;FF[4]CA[UTF-8]GM[4]SZ[15]XRU[15x15,k=5]EV[Why two threats win]AN[Collinear]XLG[en]GN[The four-three]XGU[B]AB[eh][fh][gh][hg][hf]AW[dh][cl][ml][lc][bd]PL[B]XSL[1]C[The three in the row is blocked at d8, and the two in the column are only two. Neither wins alone.

Black to move\\: find the stone that uses **both lines**.]TR[dh]AR[eh:gh][hf:hg]
(;B[hh]C[A four in the row, and with the same stone an open three in the column. The four must be stopped at i8 **now**.]MA[ih]LN[eh:hh][hh:hf]XHU[red:MA:ih][blue:LN:hh:hf];W[ih]C[White has no choice, and no stone left for the column.]
(;B[he]C[The three becomes a straight four\\: two threats again, h7 and h12.]MA[hi][hd]XHU[red:MA:hi][red:MA:hd];W[hd];B[hi]C[Five in the column.]LN[hi:he]XHU[green:LN:hi:he])
(;B[hi]C[Below works as well\\: h6 and h11 are threatened.]MA[hj][he]XHU[red:MA:hj][red:MA:he];W[hj];B[he]C[Five in the column.]LN[hi:he]XHU[green:LN:hi:he]))
(;B[ih]C[A mistake\\: a four as well, but its hole is h8, the very point that both lines need.]BM[1]MA[hh]XHU[red:MA:hh];W[hh]C[White stops the four and stands in the column, too.]SQ[hh]))
(;FF[4]CA[UTF-8]GM[4]SZ[15]XRU[15x15,k=5]EV[Why two threats win]AN[Collinear]XLG[en]GN[The double four]XGU[B]AB[eh][fh][gh][hg][hf][he]AW[dh][hd][cl][ml][lc][be]PL[B]XSL[1]C[Two threes, each blocked at one end\\: none of them can become a straight four any more.

Black to move wins all the same. Where do the lines cross?]TR[dh][hd]AR[eh:gh][he:hg]XHU[blue:AR:eh:gh][blue:AR:he:hg]
(;B[hh]C[**Two fours with one stone.** The row threatens i8, the column h7.]MA[ih][hi]LN[eh:hh][hh:he]XHU[red:MA:ih][red:MA:hi]
(;W[ih]C[White stops the row …];B[hi]C[… and the column is five.]LN[hi:he]XHU[green:LN:hi:he])
(;W[hi]C[Stopping the column does not help either\\:];B[ih]C[the row is five.]LN[eh:ih]XHU[green:LN:eh:ih]))
(;B[ih]C[A mistake\\: the four comes too early. White answers where the lines cross.]BM[1]MA[hh]XHU[red:MA:hh];W[hh]C[Both threes are dead.]SQ[hh]))
(;FF[4]CA[UTF-8]SZ[19]XRU[19x19,k=6,p=2,q=1]EV[Why two threats win]AN[Collinear]XLG[en]GN[Connect6\\: two are not enough]XGU[B]AB[hj][ij][km][kl][kk]AW[ep][qd][de][rn][pq][cl]PL[B]XSL[2]C[In **Connect6** everybody places two stones, so two threats are stopped by one turn. To win, a turn must make **more threats than the other side has stones**\\: three.

Black to move, two stones. Use the row and the column.]AR[hj:ij][km:kk]XHU[blue:AR:hj:ij][blue:AR:km:kk]
(;B[jj]
(;B[kj]C[Four in the row and four in the column, each open at both ends\\: it takes **two stones to stop each of them**, four in all. White has two.]MA[gj][lj][kn][ki]LN[hj:kj][km:kj]XHU[red:MA:gj][red:MA:lj][red:MA:kn][red:MA:ki]
(;W[gj];W[lj]C[The row is stopped …];B[kn];B[ki]C[… and the column is six.]LN[kn:ki]XHU[green:LN:kn:ki])
(;W[kn];W[ki]C[The column is stopped …];B[gj];B[lj]C[… and the row is six.]LN[gj:lj]XHU[green:LN:gj:lj]))
(;B[gj]C[A mistake\\: a live four in the row alone. It takes two stones to stop it, and White has two.]BM[1]MA[fj][kj]XHU[red:MA:fj][red:MA:kj];W[fj];W[kj]C[Both ends are taken, and k10 stands in the column as well\\: the win in two turns is gone.]SQ[fj][kj])))
(;FF[4]CA[UTF-8]SZ[7:6]XRU[7x6,k=4,gravity]EV[Why two threats win]AN[Collinear]XLG[en]GN[Connect Four\\: the odd threat]XGU[B]AB[ab][bc][cc][fc][gc][bd][cd][dd][be][fe][ge][af][df][ef][gf]AW[aa][ca][bb][cb][ac][dc][ad][fd][gd][ae][ce][de][bf][cf][ff]PL[B]XSL[1]C[A single threat can be as good as two, if it waits where the other side **must** give it away.

Red threatens e3, in an **odd** row. Nobody wants to play e2 below it\\: Yellow would hand Red the win, and Red would lose the threat. So both play elsewhere. Count the cells outside column e\\: b6, d5 d6, f5 f6, g5 g6. There are **seven**, and Red begins.]CR[ed]MA[ee]AR[bd:dd]XHU[red:CR:ed]
(;B[ba]C[Six are left, in pairs. Now Red only answers in the same column.]CR[ed]XHU[red:CR:ed];W[db];B[da]C[Four.];W[fb];B[fa]C[Two.];W[gb];B[ga]C[None. Yellow is in **zugzwang**\\: the only column with room is e.]CR[ed]MA[ee]XHU[red:CR:ed];W[ee]C[Yellow must play below the threat …];B[ed]C[… and Red completes b3–e3. Without the threat the last free column would have come out the other way\\: an odd threat of the side that began changes who runs out of moves.]LN[bd:ed]XHU[green:LN:bd:ed])
(;B[ee]C[A mistake\\: Red plays below the own threat.]BM[1]MA[ed];W[ed]C[Yellow takes e3, and nothing is left of the threat.]SQ[ed]))
(;FF[4]CA[UTF-8]SZ[7:6]XRU[7x6,k=4,gravity]EV[Why two threats win]AN[Collinear]XLG[en]GN[Connect Four\\: the even threat]XGU[W]AB[ca][da][db][ac][bc][cc][dd][ed][ae][be][de][fe][af][ef][ff]AW[cb][dc][ec][fc][ad][bd][cd][fd][ce][ee][ge][bf][cf][df][gf]PL[B]XSL[1]C[Now it is Yellow who threatens\\: g4, in an **even** row. Red has no odd threat against it.

The other columns have an even number of free cells\\: a5 a6, b5 b6, e5 e6, f5 f6. Yellow needs no counting, only **follow-up**\\: wherever Red plays, Yellow plays on top of it.]CR[gc]MA[gd]AR[dc:fc]XHU[yellow:CR:gc];B[ab]
(;W[aa]C[On top.];B[eb];W[ea]C[On top.];B[bb];W[ba];B[fb];W[fa]C[All other columns are full, and it is Red's turn.]CR[gc]MA[gd]XHU[yellow:CR:gc];B[gd]C[Red must play below the threat …];W[gc]C[… and Yellow completes d4–g4. Even rows fall to the side that answers; that is why Red, who began, needs *odd* threats and Yellow *even* ones.]LN[dc:gc]XHU[green:LN:dc:gc])
(;W[gd]C[A mistake\\: Yellow plays below his own threat, and Red takes it.]BM[1]MA[gc];B[gc]C[The threat is gone.]SQ[gc]))
`;export{e as default};