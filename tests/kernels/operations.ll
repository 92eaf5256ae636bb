target triple = "nvptx64-nvidia-cuda"
declare i16 @llvm.sadd.sat.i16(i16, i16)
declare i16 @llvm.ssub.sat.i16(i16, i16)
declare i16 @llvm.uadd.sat.i16(i16, i16)
declare i16 @llvm.usub.sat.i16(i16, i16)
declare i32 @llvm.sadd.sat.i32(i32, i32)
declare i32 @llvm.ssub.sat.i32(i32, i32)
declare i32 @llvm.uadd.sat.i32(i32, i32)
declare i32 @llvm.usub.sat.i32(i32, i32)
declare i64 @llvm.sadd.sat.i64(i64, i64)
declare i64 @llvm.ssub.sat.i64(i64, i64)
declare i64 @llvm.uadd.sat.i64(i64, i64)
declare i64 @llvm.usub.sat.i64(i64, i64)
declare i8 @llvm.sadd.sat.i8(i8, i8)
declare i8 @llvm.ssub.sat.i8(i8, i8)
declare i8 @llvm.uadd.sat.i8(i8, i8)
declare i8 @llvm.usub.sat.i8(i8, i8)
declare { i16, i1 } @llvm.sadd.with.overflow.i16(i16, i16)
declare { i16, i1 } @llvm.smul.with.overflow.i16(i16, i16)
declare { i16, i1 } @llvm.ssub.with.overflow.i16(i16, i16)
declare { i16, i1 } @llvm.uadd.with.overflow.i16(i16, i16)
declare { i16, i1 } @llvm.umul.with.overflow.i16(i16, i16)
declare { i16, i1 } @llvm.usub.with.overflow.i16(i16, i16)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.smul.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.ssub.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.usub.with.overflow.i32(i32, i32)
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.ssub.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.usub.with.overflow.i64(i64, i64)
declare { i8, i1 } @llvm.sadd.with.overflow.i8(i8, i8)
declare { i8, i1 } @llvm.smul.with.overflow.i8(i8, i8)
declare { i8, i1 } @llvm.ssub.with.overflow.i8(i8, i8)
declare { i8, i1 } @llvm.uadd.with.overflow.i8(i8, i8)
declare { i8, i1 } @llvm.umul.with.overflow.i8(i8, i8)
declare { i8, i1 } @llvm.usub.with.overflow.i8(i8, i8)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @operations(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t2 = mul i32 %t, 2
  %p = getelementptr i64, ptr addrspace(1) %in, i32 %t2
  %x = load i64, ptr addrspace(1) %p
  %p1 = getelementptr i64, ptr addrspace(1) %p, i32 1
  %y = load i64, ptr addrspace(1) %p1
  %o0 = mul i32 %t, 143
  %v0 = trunc i64 %x to i8
  %v1 = trunc i64 %y to i8
  %v2 = trunc i64 %x to i16
  %v3 = trunc i64 %y to i16
  %v4 = trunc i64 %x to i32
  %v5 = trunc i64 %y to i32
  %v6 = zext i64 %x to i128
  %v7 = shl i128 %v6, 64
  %v8 = sext i64 %y to i128
  %v9 = xor i128 %v7, %v8
  %v10 = sext i64 %x to i128
  %v11 = mul i128 %v10, %v9
  %v12 = call i8 @llvm.uadd.sat.i8(i8 %v0, i8 %v1)
  %v13 = zext i8 %v12 to i64
  %v14 = call i8 @llvm.usub.sat.i8(i8 %v0, i8 %v1)
  %v15 = zext i8 %v14 to i64
  %v16 = call i8 @llvm.sadd.sat.i8(i8 %v0, i8 %v1)
  %v17 = zext i8 %v16 to i64
  %v18 = call i8 @llvm.ssub.sat.i8(i8 %v0, i8 %v1)
  %v19 = zext i8 %v18 to i64
  %v20 = call { i8, i1 } @llvm.uadd.with.overflow.i8(i8 %v0, i8 %v1)
  %v21 = extractvalue { i8, i1 } %v20, 0
  %v22 = zext i8 %v21 to i64
  %v23 = extractvalue { i8, i1 } %v20, 1
  %v24 = zext i1 %v23 to i64
  %v25 = call { i8, i1 } @llvm.usub.with.overflow.i8(i8 %v0, i8 %v1)
  %v26 = extractvalue { i8, i1 } %v25, 0
  %v27 = zext i8 %v26 to i64
  %v28 = extractvalue { i8, i1 } %v25, 1
  %v29 = zext i1 %v28 to i64
  %v30 = call { i8, i1 } @llvm.sadd.with.overflow.i8(i8 %v0, i8 %v1)
  %v31 = extractvalue { i8, i1 } %v30, 0
  %v32 = zext i8 %v31 to i64
  %v33 = extractvalue { i8, i1 } %v30, 1
  %v34 = zext i1 %v33 to i64
  %v35 = call { i8, i1 } @llvm.ssub.with.overflow.i8(i8 %v0, i8 %v1)
  %v36 = extractvalue { i8, i1 } %v35, 0
  %v37 = zext i8 %v36 to i64
  %v38 = extractvalue { i8, i1 } %v35, 1
  %v39 = zext i1 %v38 to i64
  %v40 = call { i8, i1 } @llvm.umul.with.overflow.i8(i8 %v0, i8 %v1)
  %v41 = extractvalue { i8, i1 } %v40, 0
  %v42 = zext i8 %v41 to i64
  %v43 = extractvalue { i8, i1 } %v40, 1
  %v44 = zext i1 %v43 to i64
  %v45 = call { i8, i1 } @llvm.smul.with.overflow.i8(i8 %v0, i8 %v1)
  %v46 = extractvalue { i8, i1 } %v45, 0
  %v47 = zext i8 %v46 to i64
  %v48 = extractvalue { i8, i1 } %v45, 1
  %v49 = zext i1 %v48 to i64
  %v50 = icmp ult i8 %v0, %v1
  %v51 = zext i1 %v50 to i64
  %v52 = icmp ule i8 %v0, %v1
  %v53 = zext i1 %v52 to i64
  %v54 = icmp ugt i8 %v0, %v1
  %v55 = zext i1 %v54 to i64
  %v56 = icmp uge i8 %v0, %v1
  %v57 = zext i1 %v56 to i64
  %v58 = icmp slt i8 %v0, %v1
  %v59 = zext i1 %v58 to i64
  %v60 = icmp sle i8 %v0, %v1
  %v61 = zext i1 %v60 to i64
  %v62 = icmp sgt i8 %v0, %v1
  %v63 = zext i1 %v62 to i64
  %v64 = icmp sge i8 %v0, %v1
  %v65 = zext i1 %v64 to i64
  %v66 = icmp slt i8 %v0, 0
  %v67 = zext i1 %v66 to i64
  %v68 = icmp sgt i8 %v0, -1
  %v69 = zext i1 %v68 to i64
  %v70 = lshr i8 %v0, 3
  %v71 = zext i8 %v70 to i64
  %v72 = or i8 %v1, 1
  %v73 = udiv i8 %v0, %v72
  %v74 = zext i8 %v73 to i64
  %v75 = urem i8 %v0, 8
  %v76 = zext i8 %v75 to i64
  %v77 = call i16 @llvm.uadd.sat.i16(i16 %v2, i16 %v3)
  %v78 = zext i16 %v77 to i64
  %v79 = call i16 @llvm.usub.sat.i16(i16 %v2, i16 %v3)
  %v80 = zext i16 %v79 to i64
  %v81 = call i16 @llvm.sadd.sat.i16(i16 %v2, i16 %v3)
  %v82 = zext i16 %v81 to i64
  %v83 = call i16 @llvm.ssub.sat.i16(i16 %v2, i16 %v3)
  %v84 = zext i16 %v83 to i64
  %v85 = call { i16, i1 } @llvm.uadd.with.overflow.i16(i16 %v2, i16 %v3)
  %v86 = extractvalue { i16, i1 } %v85, 0
  %v87 = zext i16 %v86 to i64
  %v88 = extractvalue { i16, i1 } %v85, 1
  %v89 = zext i1 %v88 to i64
  %v90 = call { i16, i1 } @llvm.usub.with.overflow.i16(i16 %v2, i16 %v3)
  %v91 = extractvalue { i16, i1 } %v90, 0
  %v92 = zext i16 %v91 to i64
  %v93 = extractvalue { i16, i1 } %v90, 1
  %v94 = zext i1 %v93 to i64
  %v95 = call { i16, i1 } @llvm.sadd.with.overflow.i16(i16 %v2, i16 %v3)
  %v96 = extractvalue { i16, i1 } %v95, 0
  %v97 = zext i16 %v96 to i64
  %v98 = extractvalue { i16, i1 } %v95, 1
  %v99 = zext i1 %v98 to i64
  %v100 = call { i16, i1 } @llvm.ssub.with.overflow.i16(i16 %v2, i16 %v3)
  %v101 = extractvalue { i16, i1 } %v100, 0
  %v102 = zext i16 %v101 to i64
  %v103 = extractvalue { i16, i1 } %v100, 1
  %v104 = zext i1 %v103 to i64
  %v105 = call { i16, i1 } @llvm.umul.with.overflow.i16(i16 %v2, i16 %v3)
  %v106 = extractvalue { i16, i1 } %v105, 0
  %v107 = zext i16 %v106 to i64
  %v108 = extractvalue { i16, i1 } %v105, 1
  %v109 = zext i1 %v108 to i64
  %v110 = call { i16, i1 } @llvm.smul.with.overflow.i16(i16 %v2, i16 %v3)
  %v111 = extractvalue { i16, i1 } %v110, 0
  %v112 = zext i16 %v111 to i64
  %v113 = extractvalue { i16, i1 } %v110, 1
  %v114 = zext i1 %v113 to i64
  %v115 = icmp ult i16 %v2, %v3
  %v116 = zext i1 %v115 to i64
  %v117 = icmp ule i16 %v2, %v3
  %v118 = zext i1 %v117 to i64
  %v119 = icmp ugt i16 %v2, %v3
  %v120 = zext i1 %v119 to i64
  %v121 = icmp uge i16 %v2, %v3
  %v122 = zext i1 %v121 to i64
  %v123 = icmp slt i16 %v2, %v3
  %v124 = zext i1 %v123 to i64
  %v125 = icmp sle i16 %v2, %v3
  %v126 = zext i1 %v125 to i64
  %v127 = icmp sgt i16 %v2, %v3
  %v128 = zext i1 %v127 to i64
  %v129 = icmp sge i16 %v2, %v3
  %v130 = zext i1 %v129 to i64
  %v131 = icmp slt i16 %v2, 0
  %v132 = zext i1 %v131 to i64
  %v133 = icmp sgt i16 %v2, -1
  %v134 = zext i1 %v133 to i64
  %v135 = lshr i16 %v2, 3
  %v136 = zext i16 %v135 to i64
  %v137 = or i16 %v3, 1
  %v138 = udiv i16 %v2, %v137
  %v139 = zext i16 %v138 to i64
  %v140 = urem i16 %v2, 8
  %v141 = zext i16 %v140 to i64
  %v142 = call i32 @llvm.uadd.sat.i32(i32 %v4, i32 %v5)
  %v143 = zext i32 %v142 to i64
  %v144 = call i32 @llvm.usub.sat.i32(i32 %v4, i32 %v5)
  %v145 = zext i32 %v144 to i64
  %v146 = call i32 @llvm.sadd.sat.i32(i32 %v4, i32 %v5)
  %v147 = zext i32 %v146 to i64
  %v148 = call i32 @llvm.ssub.sat.i32(i32 %v4, i32 %v5)
  %v149 = zext i32 %v148 to i64
  %v150 = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %v4, i32 %v5)
  %v151 = extractvalue { i32, i1 } %v150, 0
  %v152 = zext i32 %v151 to i64
  %v153 = extractvalue { i32, i1 } %v150, 1
  %v154 = zext i1 %v153 to i64
  %v155 = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %v4, i32 %v5)
  %v156 = extractvalue { i32, i1 } %v155, 0
  %v157 = zext i32 %v156 to i64
  %v158 = extractvalue { i32, i1 } %v155, 1
  %v159 = zext i1 %v158 to i64
  %v160 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %v4, i32 %v5)
  %v161 = extractvalue { i32, i1 } %v160, 0
  %v162 = zext i32 %v161 to i64
  %v163 = extractvalue { i32, i1 } %v160, 1
  %v164 = zext i1 %v163 to i64
  %v165 = call { i32, i1 } @llvm.ssub.with.overflow.i32(i32 %v4, i32 %v5)
  %v166 = extractvalue { i32, i1 } %v165, 0
  %v167 = zext i32 %v166 to i64
  %v168 = extractvalue { i32, i1 } %v165, 1
  %v169 = zext i1 %v168 to i64
  %v170 = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %v4, i32 %v5)
  %v171 = extractvalue { i32, i1 } %v170, 0
  %v172 = zext i32 %v171 to i64
  %v173 = extractvalue { i32, i1 } %v170, 1
  %v174 = zext i1 %v173 to i64
  %v175 = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 %v4, i32 %v5)
  %v176 = extractvalue { i32, i1 } %v175, 0
  %v177 = zext i32 %v176 to i64
  %v178 = extractvalue { i32, i1 } %v175, 1
  %v179 = zext i1 %v178 to i64
  %v180 = icmp ult i32 %v4, %v5
  %v181 = zext i1 %v180 to i64
  %v182 = icmp ule i32 %v4, %v5
  %v183 = zext i1 %v182 to i64
  %v184 = icmp ugt i32 %v4, %v5
  %v185 = zext i1 %v184 to i64
  %v186 = icmp uge i32 %v4, %v5
  %v187 = zext i1 %v186 to i64
  %v188 = icmp slt i32 %v4, %v5
  %v189 = zext i1 %v188 to i64
  %v190 = icmp sle i32 %v4, %v5
  %v191 = zext i1 %v190 to i64
  %v192 = icmp sgt i32 %v4, %v5
  %v193 = zext i1 %v192 to i64
  %v194 = icmp sge i32 %v4, %v5
  %v195 = zext i1 %v194 to i64
  %v196 = icmp slt i32 %v4, 0
  %v197 = zext i1 %v196 to i64
  %v198 = icmp sgt i32 %v4, -1
  %v199 = zext i1 %v198 to i64
  %v200 = lshr i32 %v4, 3
  %v201 = zext i32 %v200 to i64
  %v202 = or i32 %v5, 1
  %v203 = udiv i32 %v4, %v202
  %v204 = zext i32 %v203 to i64
  %v205 = urem i32 %v4, 8
  %v206 = zext i32 %v205 to i64
  %v207 = call i64 @llvm.uadd.sat.i64(i64 %x, i64 %y)
  %v208 = call i64 @llvm.usub.sat.i64(i64 %x, i64 %y)
  %v209 = call i64 @llvm.sadd.sat.i64(i64 %x, i64 %y)
  %v210 = call i64 @llvm.ssub.sat.i64(i64 %x, i64 %y)
  %v211 = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %x, i64 %y)
  %v212 = extractvalue { i64, i1 } %v211, 0
  %v213 = extractvalue { i64, i1 } %v211, 1
  %v214 = zext i1 %v213 to i64
  %v215 = call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %x, i64 %y)
  %v216 = extractvalue { i64, i1 } %v215, 0
  %v217 = extractvalue { i64, i1 } %v215, 1
  %v218 = zext i1 %v217 to i64
  %v219 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %x, i64 %y)
  %v220 = extractvalue { i64, i1 } %v219, 0
  %v221 = extractvalue { i64, i1 } %v219, 1
  %v222 = zext i1 %v221 to i64
  %v223 = call { i64, i1 } @llvm.ssub.with.overflow.i64(i64 %x, i64 %y)
  %v224 = extractvalue { i64, i1 } %v223, 0
  %v225 = extractvalue { i64, i1 } %v223, 1
  %v226 = zext i1 %v225 to i64
  %v227 = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %x, i64 %y)
  %v228 = extractvalue { i64, i1 } %v227, 0
  %v229 = extractvalue { i64, i1 } %v227, 1
  %v230 = zext i1 %v229 to i64
  %v231 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %x, i64 %y)
  %v232 = extractvalue { i64, i1 } %v231, 0
  %v233 = extractvalue { i64, i1 } %v231, 1
  %v234 = zext i1 %v233 to i64
  %v235 = icmp ult i64 %x, %y
  %v236 = zext i1 %v235 to i64
  %v237 = icmp ule i64 %x, %y
  %v238 = zext i1 %v237 to i64
  %v239 = icmp ugt i64 %x, %y
  %v240 = zext i1 %v239 to i64
  %v241 = icmp uge i64 %x, %y
  %v242 = zext i1 %v241 to i64
  %v243 = icmp slt i64 %x, %y
  %v244 = zext i1 %v243 to i64
  %v245 = icmp sle i64 %x, %y
  %v246 = zext i1 %v245 to i64
  %v247 = icmp sgt i64 %x, %y
  %v248 = zext i1 %v247 to i64
  %v249 = icmp sge i64 %x, %y
  %v250 = zext i1 %v249 to i64
  %v251 = icmp slt i64 %x, 0
  %v252 = zext i1 %v251 to i64
  %v253 = icmp sgt i64 %x, -1
  %v254 = zext i1 %v253 to i64
  %v255 = lshr i64 %x, 3
  %v256 = or i64 %y, 1
  %v257 = udiv i64 %x, %v256
  %v258 = urem i64 %x, 8
  %v259 = icmp ult i128 %v9, %v11
  %v260 = zext i1 %v259 to i64
  %v261 = icmp ule i128 %v9, %v11
  %v262 = zext i1 %v261 to i64
  %v263 = icmp ugt i128 %v9, %v11
  %v264 = zext i1 %v263 to i64
  %v265 = icmp uge i128 %v9, %v11
  %v266 = zext i1 %v265 to i64
  %v267 = icmp slt i128 %v9, %v11
  %v268 = zext i1 %v267 to i64
  %v269 = icmp sle i128 %v9, %v11
  %v270 = zext i1 %v269 to i64
  %v271 = icmp sgt i128 %v9, %v11
  %v272 = zext i1 %v271 to i64
  %v273 = icmp sge i128 %v9, %v11
  %v274 = zext i1 %v273 to i64
  %v275 = icmp slt i128 %v9, 0
  %v276 = zext i1 %v275 to i64
  %v277 = icmp sgt i128 %v9, -1
  %v278 = zext i1 %v277 to i64
  %v279 = sext i8 %v0 to i128
  %v280 = trunc i128 %v279 to i64
  %v281 = lshr i128 %v279, 64
  %v282 = trunc i128 %v281 to i64
  %v283 = xor i64 %v280, %v282
  %v284 = bitcast i32 %v4 to <4 x i8>
  %v285 = bitcast i32 %v5 to <4 x i8>
  %v286 = shufflevector <4 x i8> %v284, <4 x i8> %v285, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %v287 = bitcast <4 x i8> %v286 to i32
  %v288 = zext i32 %v287 to i64
  %v289 = shufflevector <4 x i8> %v284, <4 x i8> %v285, <4 x i32> <i32 1, i32 6, i32 2, i32 7>
  %v290 = bitcast <4 x i8> %v289 to i32
  %v291 = zext i32 %v290 to i64
  %v292 = shufflevector <4 x i8> %v284, <4 x i8> %v285, <4 x i32> <i32 0, i32 4, i32 5, i32 5>
  %v293 = bitcast <4 x i8> %v292 to i32
  %v294 = zext i32 %v293 to i64
  %v295 = shufflevector <4 x i8> %v284, <4 x i8> %v285, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v296 = bitcast <4 x i8> %v295 to i32
  %v297 = zext i32 %v296 to i64
  %v298 = shufflevector <4 x i8> %v284, <4 x i8> %v285, <4 x i32> <i32 0, i32 1, i32 1, i32 5>
  %v299 = bitcast <4 x i8> %v298 to i32
  %v300 = zext i32 %v299 to i64
  %v301 = and i32 %v5, 3
  %v302 = extractelement <4 x i8> %v284, i32 %v301
  %v303 = zext i8 %v302 to i64
  %v304 = extractelement <4 x i8> %v285, i32 1
  %v305 = insertelement <4 x i8> %v284, i8 %v304, i32 %v301
  %v306 = bitcast <4 x i8> %v305 to i32
  %v307 = zext i32 %v306 to i64
  %v308 = sext i8 %v304 to i32
  %v309 = zext i32 %v308 to i64
  %v310 = icmp sgt i8 %v304, 5
  %v311 = zext i1 %v310 to i64
  %v312 = add <4 x i8> %v284, %v285
  %v313 = bitcast <4 x i8> %v312 to i32
  %v314 = zext i32 %v313 to i64
  %v315 = sub <4 x i8> %v284, %v285
  %v316 = bitcast <4 x i8> %v315 to i32
  %v317 = zext i32 %v316 to i64
  %v318 = mul <4 x i8> %v284, %v285
  %v319 = bitcast <4 x i8> %v318 to i32
  %v320 = zext i32 %v319 to i64
  %v321 = icmp ult <4 x i8> %v284, %v285
  %v322 = select <4 x i1> %v321, <4 x i8> %v284, <4 x i8> %v285
  %v323 = bitcast <4 x i8> %v322 to i32
  %v324 = zext i32 %v323 to i64
  %v325 = icmp slt <4 x i8> %v284, %v285
  %v326 = select <4 x i1> %v325, <4 x i8> %v284, <4 x i8> %v285
  %v327 = bitcast <4 x i8> %v326 to i32
  %v328 = zext i32 %v327 to i64
  %v329 = bitcast i64 %x to <8 x i8>
  %v330 = bitcast i64 %y to <8 x i8>
  %v331 = xor <8 x i8> %v329, %v330
  %v332 = bitcast <8 x i8> %v331 to i64
  %v333 = shufflevector <8 x i8> %v329, <8 x i8> %v330, <8 x i32> <i32 5, i32 9, i32 8, i32 6, i32 1, i32 5, i32 13, i32 12>
  %v334 = bitcast <8 x i8> %v333 to i64
  %i0 = add i32 %o0, 0
  %q0 = getelementptr i64, ptr addrspace(1) %out, i32 %i0
  store i64 %v13, ptr addrspace(1) %q0
  %i1 = add i32 %o0, 1
  %q1 = getelementptr i64, ptr addrspace(1) %out, i32 %i1
  store i64 %v15, ptr addrspace(1) %q1
  %i2 = add i32 %o0, 2
  %q2 = getelementptr i64, ptr addrspace(1) %out, i32 %i2
  store i64 %v17, ptr addrspace(1) %q2
  %i3 = add i32 %o0, 3
  %q3 = getelementptr i64, ptr addrspace(1) %out, i32 %i3
  store i64 %v19, ptr addrspace(1) %q3
  %i4 = add i32 %o0, 4
  %q4 = getelementptr i64, ptr addrspace(1) %out, i32 %i4
  store i64 %v22, ptr addrspace(1) %q4
  %i5 = add i32 %o0, 5
  %q5 = getelementptr i64, ptr addrspace(1) %out, i32 %i5
  store i64 %v24, ptr addrspace(1) %q5
  %i6 = add i32 %o0, 6
  %q6 = getelementptr i64, ptr addrspace(1) %out, i32 %i6
  store i64 %v27, ptr addrspace(1) %q6
  %i7 = add i32 %o0, 7
  %q7 = getelementptr i64, ptr addrspace(1) %out, i32 %i7
  store i64 %v29, ptr addrspace(1) %q7
  %i8 = add i32 %o0, 8
  %q8 = getelementptr i64, ptr addrspace(1) %out, i32 %i8
  store i64 %v32, ptr addrspace(1) %q8
  %i9 = add i32 %o0, 9
  %q9 = getelementptr i64, ptr addrspace(1) %out, i32 %i9
  store i64 %v34, ptr addrspace(1) %q9
  %i10 = add i32 %o0, 10
  %q10 = getelementptr i64, ptr addrspace(1) %out, i32 %i10
  store i64 %v37, ptr addrspace(1) %q10
  %i11 = add i32 %o0, 11
  %q11 = getelementptr i64, ptr addrspace(1) %out, i32 %i11
  store i64 %v39, ptr addrspace(1) %q11
  %i12 = add i32 %o0, 12
  %q12 = getelementptr i64, ptr addrspace(1) %out, i32 %i12
  store i64 %v42, ptr addrspace(1) %q12
  %i13 = add i32 %o0, 13
  %q13 = getelementptr i64, ptr addrspace(1) %out, i32 %i13
  store i64 %v44, ptr addrspace(1) %q13
  %i14 = add i32 %o0, 14
  %q14 = getelementptr i64, ptr addrspace(1) %out, i32 %i14
  store i64 %v47, ptr addrspace(1) %q14
  %i15 = add i32 %o0, 15
  %q15 = getelementptr i64, ptr addrspace(1) %out, i32 %i15
  store i64 %v49, ptr addrspace(1) %q15
  %i16 = add i32 %o0, 16
  %q16 = getelementptr i64, ptr addrspace(1) %out, i32 %i16
  store i64 %v51, ptr addrspace(1) %q16
  %i17 = add i32 %o0, 17
  %q17 = getelementptr i64, ptr addrspace(1) %out, i32 %i17
  store i64 %v53, ptr addrspace(1) %q17
  %i18 = add i32 %o0, 18
  %q18 = getelementptr i64, ptr addrspace(1) %out, i32 %i18
  store i64 %v55, ptr addrspace(1) %q18
  %i19 = add i32 %o0, 19
  %q19 = getelementptr i64, ptr addrspace(1) %out, i32 %i19
  store i64 %v57, ptr addrspace(1) %q19
  %i20 = add i32 %o0, 20
  %q20 = getelementptr i64, ptr addrspace(1) %out, i32 %i20
  store i64 %v59, ptr addrspace(1) %q20
  %i21 = add i32 %o0, 21
  %q21 = getelementptr i64, ptr addrspace(1) %out, i32 %i21
  store i64 %v61, ptr addrspace(1) %q21
  %i22 = add i32 %o0, 22
  %q22 = getelementptr i64, ptr addrspace(1) %out, i32 %i22
  store i64 %v63, ptr addrspace(1) %q22
  %i23 = add i32 %o0, 23
  %q23 = getelementptr i64, ptr addrspace(1) %out, i32 %i23
  store i64 %v65, ptr addrspace(1) %q23
  %i24 = add i32 %o0, 24
  %q24 = getelementptr i64, ptr addrspace(1) %out, i32 %i24
  store i64 %v67, ptr addrspace(1) %q24
  %i25 = add i32 %o0, 25
  %q25 = getelementptr i64, ptr addrspace(1) %out, i32 %i25
  store i64 %v69, ptr addrspace(1) %q25
  %i26 = add i32 %o0, 26
  %q26 = getelementptr i64, ptr addrspace(1) %out, i32 %i26
  store i64 %v71, ptr addrspace(1) %q26
  %i27 = add i32 %o0, 27
  %q27 = getelementptr i64, ptr addrspace(1) %out, i32 %i27
  store i64 %v74, ptr addrspace(1) %q27
  %i28 = add i32 %o0, 28
  %q28 = getelementptr i64, ptr addrspace(1) %out, i32 %i28
  store i64 %v76, ptr addrspace(1) %q28
  %i29 = add i32 %o0, 29
  %q29 = getelementptr i64, ptr addrspace(1) %out, i32 %i29
  store i64 %v78, ptr addrspace(1) %q29
  %i30 = add i32 %o0, 30
  %q30 = getelementptr i64, ptr addrspace(1) %out, i32 %i30
  store i64 %v80, ptr addrspace(1) %q30
  %i31 = add i32 %o0, 31
  %q31 = getelementptr i64, ptr addrspace(1) %out, i32 %i31
  store i64 %v82, ptr addrspace(1) %q31
  %i32 = add i32 %o0, 32
  %q32 = getelementptr i64, ptr addrspace(1) %out, i32 %i32
  store i64 %v84, ptr addrspace(1) %q32
  %i33 = add i32 %o0, 33
  %q33 = getelementptr i64, ptr addrspace(1) %out, i32 %i33
  store i64 %v87, ptr addrspace(1) %q33
  %i34 = add i32 %o0, 34
  %q34 = getelementptr i64, ptr addrspace(1) %out, i32 %i34
  store i64 %v89, ptr addrspace(1) %q34
  %i35 = add i32 %o0, 35
  %q35 = getelementptr i64, ptr addrspace(1) %out, i32 %i35
  store i64 %v92, ptr addrspace(1) %q35
  %i36 = add i32 %o0, 36
  %q36 = getelementptr i64, ptr addrspace(1) %out, i32 %i36
  store i64 %v94, ptr addrspace(1) %q36
  %i37 = add i32 %o0, 37
  %q37 = getelementptr i64, ptr addrspace(1) %out, i32 %i37
  store i64 %v97, ptr addrspace(1) %q37
  %i38 = add i32 %o0, 38
  %q38 = getelementptr i64, ptr addrspace(1) %out, i32 %i38
  store i64 %v99, ptr addrspace(1) %q38
  %i39 = add i32 %o0, 39
  %q39 = getelementptr i64, ptr addrspace(1) %out, i32 %i39
  store i64 %v102, ptr addrspace(1) %q39
  %i40 = add i32 %o0, 40
  %q40 = getelementptr i64, ptr addrspace(1) %out, i32 %i40
  store i64 %v104, ptr addrspace(1) %q40
  %i41 = add i32 %o0, 41
  %q41 = getelementptr i64, ptr addrspace(1) %out, i32 %i41
  store i64 %v107, ptr addrspace(1) %q41
  %i42 = add i32 %o0, 42
  %q42 = getelementptr i64, ptr addrspace(1) %out, i32 %i42
  store i64 %v109, ptr addrspace(1) %q42
  %i43 = add i32 %o0, 43
  %q43 = getelementptr i64, ptr addrspace(1) %out, i32 %i43
  store i64 %v112, ptr addrspace(1) %q43
  %i44 = add i32 %o0, 44
  %q44 = getelementptr i64, ptr addrspace(1) %out, i32 %i44
  store i64 %v114, ptr addrspace(1) %q44
  %i45 = add i32 %o0, 45
  %q45 = getelementptr i64, ptr addrspace(1) %out, i32 %i45
  store i64 %v116, ptr addrspace(1) %q45
  %i46 = add i32 %o0, 46
  %q46 = getelementptr i64, ptr addrspace(1) %out, i32 %i46
  store i64 %v118, ptr addrspace(1) %q46
  %i47 = add i32 %o0, 47
  %q47 = getelementptr i64, ptr addrspace(1) %out, i32 %i47
  store i64 %v120, ptr addrspace(1) %q47
  %i48 = add i32 %o0, 48
  %q48 = getelementptr i64, ptr addrspace(1) %out, i32 %i48
  store i64 %v122, ptr addrspace(1) %q48
  %i49 = add i32 %o0, 49
  %q49 = getelementptr i64, ptr addrspace(1) %out, i32 %i49
  store i64 %v124, ptr addrspace(1) %q49
  %i50 = add i32 %o0, 50
  %q50 = getelementptr i64, ptr addrspace(1) %out, i32 %i50
  store i64 %v126, ptr addrspace(1) %q50
  %i51 = add i32 %o0, 51
  %q51 = getelementptr i64, ptr addrspace(1) %out, i32 %i51
  store i64 %v128, ptr addrspace(1) %q51
  %i52 = add i32 %o0, 52
  %q52 = getelementptr i64, ptr addrspace(1) %out, i32 %i52
  store i64 %v130, ptr addrspace(1) %q52
  %i53 = add i32 %o0, 53
  %q53 = getelementptr i64, ptr addrspace(1) %out, i32 %i53
  store i64 %v132, ptr addrspace(1) %q53
  %i54 = add i32 %o0, 54
  %q54 = getelementptr i64, ptr addrspace(1) %out, i32 %i54
  store i64 %v134, ptr addrspace(1) %q54
  %i55 = add i32 %o0, 55
  %q55 = getelementptr i64, ptr addrspace(1) %out, i32 %i55
  store i64 %v136, ptr addrspace(1) %q55
  %i56 = add i32 %o0, 56
  %q56 = getelementptr i64, ptr addrspace(1) %out, i32 %i56
  store i64 %v139, ptr addrspace(1) %q56
  %i57 = add i32 %o0, 57
  %q57 = getelementptr i64, ptr addrspace(1) %out, i32 %i57
  store i64 %v141, ptr addrspace(1) %q57
  %i58 = add i32 %o0, 58
  %q58 = getelementptr i64, ptr addrspace(1) %out, i32 %i58
  store i64 %v143, ptr addrspace(1) %q58
  %i59 = add i32 %o0, 59
  %q59 = getelementptr i64, ptr addrspace(1) %out, i32 %i59
  store i64 %v145, ptr addrspace(1) %q59
  %i60 = add i32 %o0, 60
  %q60 = getelementptr i64, ptr addrspace(1) %out, i32 %i60
  store i64 %v147, ptr addrspace(1) %q60
  %i61 = add i32 %o0, 61
  %q61 = getelementptr i64, ptr addrspace(1) %out, i32 %i61
  store i64 %v149, ptr addrspace(1) %q61
  %i62 = add i32 %o0, 62
  %q62 = getelementptr i64, ptr addrspace(1) %out, i32 %i62
  store i64 %v152, ptr addrspace(1) %q62
  %i63 = add i32 %o0, 63
  %q63 = getelementptr i64, ptr addrspace(1) %out, i32 %i63
  store i64 %v154, ptr addrspace(1) %q63
  %i64 = add i32 %o0, 64
  %q64 = getelementptr i64, ptr addrspace(1) %out, i32 %i64
  store i64 %v157, ptr addrspace(1) %q64
  %i65 = add i32 %o0, 65
  %q65 = getelementptr i64, ptr addrspace(1) %out, i32 %i65
  store i64 %v159, ptr addrspace(1) %q65
  %i66 = add i32 %o0, 66
  %q66 = getelementptr i64, ptr addrspace(1) %out, i32 %i66
  store i64 %v162, ptr addrspace(1) %q66
  %i67 = add i32 %o0, 67
  %q67 = getelementptr i64, ptr addrspace(1) %out, i32 %i67
  store i64 %v164, ptr addrspace(1) %q67
  %i68 = add i32 %o0, 68
  %q68 = getelementptr i64, ptr addrspace(1) %out, i32 %i68
  store i64 %v167, ptr addrspace(1) %q68
  %i69 = add i32 %o0, 69
  %q69 = getelementptr i64, ptr addrspace(1) %out, i32 %i69
  store i64 %v169, ptr addrspace(1) %q69
  %i70 = add i32 %o0, 70
  %q70 = getelementptr i64, ptr addrspace(1) %out, i32 %i70
  store i64 %v172, ptr addrspace(1) %q70
  %i71 = add i32 %o0, 71
  %q71 = getelementptr i64, ptr addrspace(1) %out, i32 %i71
  store i64 %v174, ptr addrspace(1) %q71
  %i72 = add i32 %o0, 72
  %q72 = getelementptr i64, ptr addrspace(1) %out, i32 %i72
  store i64 %v177, ptr addrspace(1) %q72
  %i73 = add i32 %o0, 73
  %q73 = getelementptr i64, ptr addrspace(1) %out, i32 %i73
  store i64 %v179, ptr addrspace(1) %q73
  %i74 = add i32 %o0, 74
  %q74 = getelementptr i64, ptr addrspace(1) %out, i32 %i74
  store i64 %v181, ptr addrspace(1) %q74
  %i75 = add i32 %o0, 75
  %q75 = getelementptr i64, ptr addrspace(1) %out, i32 %i75
  store i64 %v183, ptr addrspace(1) %q75
  %i76 = add i32 %o0, 76
  %q76 = getelementptr i64, ptr addrspace(1) %out, i32 %i76
  store i64 %v185, ptr addrspace(1) %q76
  %i77 = add i32 %o0, 77
  %q77 = getelementptr i64, ptr addrspace(1) %out, i32 %i77
  store i64 %v187, ptr addrspace(1) %q77
  %i78 = add i32 %o0, 78
  %q78 = getelementptr i64, ptr addrspace(1) %out, i32 %i78
  store i64 %v189, ptr addrspace(1) %q78
  %i79 = add i32 %o0, 79
  %q79 = getelementptr i64, ptr addrspace(1) %out, i32 %i79
  store i64 %v191, ptr addrspace(1) %q79
  %i80 = add i32 %o0, 80
  %q80 = getelementptr i64, ptr addrspace(1) %out, i32 %i80
  store i64 %v193, ptr addrspace(1) %q80
  %i81 = add i32 %o0, 81
  %q81 = getelementptr i64, ptr addrspace(1) %out, i32 %i81
  store i64 %v195, ptr addrspace(1) %q81
  %i82 = add i32 %o0, 82
  %q82 = getelementptr i64, ptr addrspace(1) %out, i32 %i82
  store i64 %v197, ptr addrspace(1) %q82
  %i83 = add i32 %o0, 83
  %q83 = getelementptr i64, ptr addrspace(1) %out, i32 %i83
  store i64 %v199, ptr addrspace(1) %q83
  %i84 = add i32 %o0, 84
  %q84 = getelementptr i64, ptr addrspace(1) %out, i32 %i84
  store i64 %v201, ptr addrspace(1) %q84
  %i85 = add i32 %o0, 85
  %q85 = getelementptr i64, ptr addrspace(1) %out, i32 %i85
  store i64 %v204, ptr addrspace(1) %q85
  %i86 = add i32 %o0, 86
  %q86 = getelementptr i64, ptr addrspace(1) %out, i32 %i86
  store i64 %v206, ptr addrspace(1) %q86
  %i87 = add i32 %o0, 87
  %q87 = getelementptr i64, ptr addrspace(1) %out, i32 %i87
  store i64 %v207, ptr addrspace(1) %q87
  %i88 = add i32 %o0, 88
  %q88 = getelementptr i64, ptr addrspace(1) %out, i32 %i88
  store i64 %v208, ptr addrspace(1) %q88
  %i89 = add i32 %o0, 89
  %q89 = getelementptr i64, ptr addrspace(1) %out, i32 %i89
  store i64 %v209, ptr addrspace(1) %q89
  %i90 = add i32 %o0, 90
  %q90 = getelementptr i64, ptr addrspace(1) %out, i32 %i90
  store i64 %v210, ptr addrspace(1) %q90
  %i91 = add i32 %o0, 91
  %q91 = getelementptr i64, ptr addrspace(1) %out, i32 %i91
  store i64 %v212, ptr addrspace(1) %q91
  %i92 = add i32 %o0, 92
  %q92 = getelementptr i64, ptr addrspace(1) %out, i32 %i92
  store i64 %v214, ptr addrspace(1) %q92
  %i93 = add i32 %o0, 93
  %q93 = getelementptr i64, ptr addrspace(1) %out, i32 %i93
  store i64 %v216, ptr addrspace(1) %q93
  %i94 = add i32 %o0, 94
  %q94 = getelementptr i64, ptr addrspace(1) %out, i32 %i94
  store i64 %v218, ptr addrspace(1) %q94
  %i95 = add i32 %o0, 95
  %q95 = getelementptr i64, ptr addrspace(1) %out, i32 %i95
  store i64 %v220, ptr addrspace(1) %q95
  %i96 = add i32 %o0, 96
  %q96 = getelementptr i64, ptr addrspace(1) %out, i32 %i96
  store i64 %v222, ptr addrspace(1) %q96
  %i97 = add i32 %o0, 97
  %q97 = getelementptr i64, ptr addrspace(1) %out, i32 %i97
  store i64 %v224, ptr addrspace(1) %q97
  %i98 = add i32 %o0, 98
  %q98 = getelementptr i64, ptr addrspace(1) %out, i32 %i98
  store i64 %v226, ptr addrspace(1) %q98
  %i99 = add i32 %o0, 99
  %q99 = getelementptr i64, ptr addrspace(1) %out, i32 %i99
  store i64 %v228, ptr addrspace(1) %q99
  %i100 = add i32 %o0, 100
  %q100 = getelementptr i64, ptr addrspace(1) %out, i32 %i100
  store i64 %v230, ptr addrspace(1) %q100
  %i101 = add i32 %o0, 101
  %q101 = getelementptr i64, ptr addrspace(1) %out, i32 %i101
  store i64 %v232, ptr addrspace(1) %q101
  %i102 = add i32 %o0, 102
  %q102 = getelementptr i64, ptr addrspace(1) %out, i32 %i102
  store i64 %v234, ptr addrspace(1) %q102
  %i103 = add i32 %o0, 103
  %q103 = getelementptr i64, ptr addrspace(1) %out, i32 %i103
  store i64 %v236, ptr addrspace(1) %q103
  %i104 = add i32 %o0, 104
  %q104 = getelementptr i64, ptr addrspace(1) %out, i32 %i104
  store i64 %v238, ptr addrspace(1) %q104
  %i105 = add i32 %o0, 105
  %q105 = getelementptr i64, ptr addrspace(1) %out, i32 %i105
  store i64 %v240, ptr addrspace(1) %q105
  %i106 = add i32 %o0, 106
  %q106 = getelementptr i64, ptr addrspace(1) %out, i32 %i106
  store i64 %v242, ptr addrspace(1) %q106
  %i107 = add i32 %o0, 107
  %q107 = getelementptr i64, ptr addrspace(1) %out, i32 %i107
  store i64 %v244, ptr addrspace(1) %q107
  %i108 = add i32 %o0, 108
  %q108 = getelementptr i64, ptr addrspace(1) %out, i32 %i108
  store i64 %v246, ptr addrspace(1) %q108
  %i109 = add i32 %o0, 109
  %q109 = getelementptr i64, ptr addrspace(1) %out, i32 %i109
  store i64 %v248, ptr addrspace(1) %q109
  %i110 = add i32 %o0, 110
  %q110 = getelementptr i64, ptr addrspace(1) %out, i32 %i110
  store i64 %v250, ptr addrspace(1) %q110
  %i111 = add i32 %o0, 111
  %q111 = getelementptr i64, ptr addrspace(1) %out, i32 %i111
  store i64 %v252, ptr addrspace(1) %q111
  %i112 = add i32 %o0, 112
  %q112 = getelementptr i64, ptr addrspace(1) %out, i32 %i112
  store i64 %v254, ptr addrspace(1) %q112
  %i113 = add i32 %o0, 113
  %q113 = getelementptr i64, ptr addrspace(1) %out, i32 %i113
  store i64 %v255, ptr addrspace(1) %q113
  %i114 = add i32 %o0, 114
  %q114 = getelementptr i64, ptr addrspace(1) %out, i32 %i114
  store i64 %v257, ptr addrspace(1) %q114
  %i115 = add i32 %o0, 115
  %q115 = getelementptr i64, ptr addrspace(1) %out, i32 %i115
  store i64 %v258, ptr addrspace(1) %q115
  %i116 = add i32 %o0, 116
  %q116 = getelementptr i64, ptr addrspace(1) %out, i32 %i116
  store i64 %v260, ptr addrspace(1) %q116
  %i117 = add i32 %o0, 117
  %q117 = getelementptr i64, ptr addrspace(1) %out, i32 %i117
  store i64 %v262, ptr addrspace(1) %q117
  %i118 = add i32 %o0, 118
  %q118 = getelementptr i64, ptr addrspace(1) %out, i32 %i118
  store i64 %v264, ptr addrspace(1) %q118
  %i119 = add i32 %o0, 119
  %q119 = getelementptr i64, ptr addrspace(1) %out, i32 %i119
  store i64 %v266, ptr addrspace(1) %q119
  %i120 = add i32 %o0, 120
  %q120 = getelementptr i64, ptr addrspace(1) %out, i32 %i120
  store i64 %v268, ptr addrspace(1) %q120
  %i121 = add i32 %o0, 121
  %q121 = getelementptr i64, ptr addrspace(1) %out, i32 %i121
  store i64 %v270, ptr addrspace(1) %q121
  %i122 = add i32 %o0, 122
  %q122 = getelementptr i64, ptr addrspace(1) %out, i32 %i122
  store i64 %v272, ptr addrspace(1) %q122
  %i123 = add i32 %o0, 123
  %q123 = getelementptr i64, ptr addrspace(1) %out, i32 %i123
  store i64 %v274, ptr addrspace(1) %q123
  %i124 = add i32 %o0, 124
  %q124 = getelementptr i64, ptr addrspace(1) %out, i32 %i124
  store i64 %v276, ptr addrspace(1) %q124
  %i125 = add i32 %o0, 125
  %q125 = getelementptr i64, ptr addrspace(1) %out, i32 %i125
  store i64 %v278, ptr addrspace(1) %q125
  %i126 = add i32 %o0, 126
  %q126 = getelementptr i64, ptr addrspace(1) %out, i32 %i126
  store i64 %v283, ptr addrspace(1) %q126
  %i127 = add i32 %o0, 127
  %q127 = getelementptr i64, ptr addrspace(1) %out, i32 %i127
  store i64 %v288, ptr addrspace(1) %q127
  %i128 = add i32 %o0, 128
  %q128 = getelementptr i64, ptr addrspace(1) %out, i32 %i128
  store i64 %v291, ptr addrspace(1) %q128
  %i129 = add i32 %o0, 129
  %q129 = getelementptr i64, ptr addrspace(1) %out, i32 %i129
  store i64 %v294, ptr addrspace(1) %q129
  %i130 = add i32 %o0, 130
  %q130 = getelementptr i64, ptr addrspace(1) %out, i32 %i130
  store i64 %v297, ptr addrspace(1) %q130
  %i131 = add i32 %o0, 131
  %q131 = getelementptr i64, ptr addrspace(1) %out, i32 %i131
  store i64 %v300, ptr addrspace(1) %q131
  %i132 = add i32 %o0, 132
  %q132 = getelementptr i64, ptr addrspace(1) %out, i32 %i132
  store i64 %v303, ptr addrspace(1) %q132
  %i133 = add i32 %o0, 133
  %q133 = getelementptr i64, ptr addrspace(1) %out, i32 %i133
  store i64 %v307, ptr addrspace(1) %q133
  %i134 = add i32 %o0, 134
  %q134 = getelementptr i64, ptr addrspace(1) %out, i32 %i134
  store i64 %v309, ptr addrspace(1) %q134
  %i135 = add i32 %o0, 135
  %q135 = getelementptr i64, ptr addrspace(1) %out, i32 %i135
  store i64 %v311, ptr addrspace(1) %q135
  %i136 = add i32 %o0, 136
  %q136 = getelementptr i64, ptr addrspace(1) %out, i32 %i136
  store i64 %v314, ptr addrspace(1) %q136
  %i137 = add i32 %o0, 137
  %q137 = getelementptr i64, ptr addrspace(1) %out, i32 %i137
  store i64 %v317, ptr addrspace(1) %q137
  %i138 = add i32 %o0, 138
  %q138 = getelementptr i64, ptr addrspace(1) %out, i32 %i138
  store i64 %v320, ptr addrspace(1) %q138
  %i139 = add i32 %o0, 139
  %q139 = getelementptr i64, ptr addrspace(1) %out, i32 %i139
  store i64 %v324, ptr addrspace(1) %q139
  %i140 = add i32 %o0, 140
  %q140 = getelementptr i64, ptr addrspace(1) %out, i32 %i140
  store i64 %v328, ptr addrspace(1) %q140
  %i141 = add i32 %o0, 141
  %q141 = getelementptr i64, ptr addrspace(1) %out, i32 %i141
  store i64 %v332, ptr addrspace(1) %q141
  %i142 = add i32 %o0, 142
  %q142 = getelementptr i64, ptr addrspace(1) %out, i32 %i142
  store i64 %v334, ptr addrspace(1) %q142
  ret void
}
